import type { Reply } from "@/testing/servers/http-double";
import { brokenReplies, startLookupServer, type LookupServer } from "@/testing/servers/lookup-servers";
import { createHttpLookup } from "./http";

const post = { postId: "Cxyz123abc_", type: "post" } as const;
const imageUrl = "https://images.example.com/a/b.jpg?x=1";
const found = { status: "public", username: "sample.account", caption: "Hello", imageUrl, type: "reel" };

let service: LookupServer;

beforeAll(async () => {
  service = await startLookupServer();
});
afterAll(() => service.stop());

function find(imageHosts = ["images.example.com", "*.example.net"]) {
  const url = `${service.url}?tenant=1`;
  return createHttpLookup({ url, secret: "lookup-secret-0123456789", imageHosts })(post);
}

function findIn(body: Record<string, unknown>, imageHosts?: string[]) {
  service.respond({ body });
  return find(imageHosts);
}

describe("the request", () => {
  it("contains code, type and the secret", async () => {
    expect(await findIn(found)).toEqual(found);
    expect(service.requests).toHaveLength(1);
    const { query, headers } = service.requests[0]!;
    expect(Object.fromEntries(query)).toEqual({ tenant: "1", code: "Cxyz123abc_", type: "post" });
    expect(headers.authorization).toBe("Bearer lookup-secret-0123456789");
  });

  it.each<Reply>(["drop", "cut", { status: 502 }, { status: 503 }, { status: 504 }])(
    "is repeated once after %j",
    async (failure) => {
      service.respond((_request, index) => (index === 0 ? failure : { body: found }));
      expect(await find()).toMatchObject({ status: "public" });
      expect(service.requests).toHaveLength(2);
    },
  );
});

describe("the response", () => {
  it.each(["private", "missing"])("with status %s yields only that status", async (status) => {
    expect(await findIn({ ...found, status })).toEqual({ status });
  });

  it("may omit all optional fields of a public post", async () => {
    const empty = { username: null, caption: null, imageUrl: null };
    for (const fields of [{}, { username: null, caption: "", imageUrl: null, type: null }]) {
      const result = await findIn({ status: "public", ...fields });
      expect(result).toEqual({ status: "public", type: "post", ...empty });
    }
  });

  it("is stripped of control and bidirectional characters, but keeps emoji intact", async () => {
    const caption = "one\u0000\ntwo\u202e three\ud800 👨‍👩‍👧";
    const result = await findIn({ ...found, username: "na\u0007me\u200b", caption });
    expect(result).toMatchObject({ username: "na me", caption: "one two three 👨‍👩‍👧" });
  });

  it("has a long caption shortened without splitting an emoji", async () => {
    const result = await findIn({ ...found, caption: "😀".repeat(900) });
    expect(result).toMatchObject({ caption: "😀".repeat(500) });
  });

  it.each<[string, Reply]>([
    ...brokenReplies,
    ["a 404", { status: 404, body: { status: "missing" } }],
    ["a 401", { status: 401 }],
    ["a 201", { status: 201, body: found }],
    ["an unknown status", { body: { status: "deleted" } }],
    ["a username that is too long", { body: { ...found, username: "n".repeat(31) } }],
    ["a username that is not a string", { body: { ...found, username: 5 } }],
    ["an unknown type", { body: { ...found, type: "story" } }],
  ])('yields "unavailable" for %s', async (_, reply) => {
    service.respond(reply);
    expect((await find()).status).toBe("unavailable");
    expect(service.requests.map((request) => request.path)).not.toContain("/elsewhere");
    expect(service.requests.length).toBeLessThanOrEqual(2);
  });
});

it("says in the reason that a page is not JSON", async () => {
  service.respond("junk");
  expect(await find()).toEqual({
    status: "unavailable",
    reason: "the response is not JSON of at most 64 KiB",
  });
});

describe("images", () => {
  it.each([
    imageUrl,
    "https://IMAGES.example.com/x",
    "https://images.example.com:443/x",
    "https://a.b.example.net/x",
  ])("accepts %s", async (image) => {
    const result = await findIn({ ...found, imageUrl: image });
    expect(result).toMatchObject({ imageUrl: new URL(image).href });
  });

  it.each([
    "https://elsewhere.example.org/x.jpg",
    "https://images.example.com.elsewhere.example.org/x.jpg",
    "https://images.example.com@elsewhere.example.org/x.jpg",
    "https://me:pass@images.example.com/x.jpg",
    "https://images.example.com:8443/x.jpg",
    "https://images.example.com./x.jpg",
    "https://example.net/x.jpg",
    "https://notexample.net/x.jpg",
    "http://images.example.com/x.jpg",
    "javascript:alert(1)//images.example.com",
    "data:image/svg+xml,<svg/>",
    "//images.example.com/x.jpg",
    "/samples/post.svg",
    "not an address",
    `https://images.example.com/${"x".repeat(2_048)}`,
  ])("drops %s, and returns a preview without an image", async (image) => {
    const result = await findIn({ ...found, imageUrl: image });
    expect(result).toMatchObject({ username: "sample.account", imageUrl: null });
  });

  it("drops every image when no host is allowed", async () => {
    expect(await findIn(found, [])).toMatchObject({ imageUrl: null });
  });
});
