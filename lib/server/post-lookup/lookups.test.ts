import type { Reply } from "@/testing/servers/http-double";
import {
  brokenReplies,
  metaMarker,
  metaReplies,
  startLookupServer,
  type LookupServer,
} from "@/testing/servers/lookup-servers";
import { useTransport } from "@/testing/test-transports";
import { createHttpLookup } from "./http";
import { createOembedLookup } from "./oembed";

const coolOffKey = "lookup:cool-off";
const post = { postId: "Cxyz123abc_", type: "post" } as const;
const token = "123|secret";
const limited = { status: "public", username: null, caption: null, imageUrl: null };
const imageUrl = "https://images.example.com/a/b.jpg?x=1";
const found = { status: "public", username: "sample.account", caption: "Hello", imageUrl, type: "reel" };

const transport = useTransport();
/** The service of both lookups: Meta or the operator's. */
let service: LookupServer;

beforeAll(async () => {
  service = await startLookupServer();
});
afterAll(() => service.stop());
beforeEach(() => void jest.spyOn(process.stdout, "write").mockReturnValue(true));
afterEach(() => jest.restoreAllMocks());

/** Creates the lookup of another server process. */
function oembed(settings: { token?: string } = {}) {
  return createOembedLookup({ url: `${service.url}?version=1`, ...settings }, transport.redis);
}

function http(imageHosts = ["images.example.com", "*.example.net"]) {
  return createHttpLookup({ url: `${service.url}?tenant=1`, secret: token, imageHosts });
}

/** Looks the post up in the operator's service, which responds with this body. */
function findIn(body: Record<string, unknown>, imageHosts?: string[]) {
  service.respond({ body });
  return http(imageHosts)(post);
}

describe.each<
  [string, () => ReturnType<typeof http>, found: Reply, busy: number[], broken: [string, Reply][]]
>([
  [
    "oEmbed",
    oembed,
    metaReplies.found,
    [503],
    [
      ["an unknown code", metaReplies.error(2_500)],
      ["a missing post with status 200", { ...metaReplies.error(24), status: 200 }],
      ["a 404 without Meta's JSON", { status: 404, body: "<h1>Not Found</h1>" }],
    ],
  ],
  [
    "HTTP",
    http,
    { body: found },
    [502, 503, 504],
    [
      ["a 404", { status: 404, body: { status: "missing" } }],
      ["a 401", { status: 401 }],
      ["a 201", { status: 201, body: found }],
      ["an unknown status", { body: { status: "deleted" } }],
      ["a username that is too long", { body: { ...found, username: "n".repeat(31) } }],
      ["a username that is not a string", { body: { ...found, username: 5 } }],
      ["an unknown type", { body: { ...found, type: "story" } }],
    ],
  ],
])("the lookup over %s", (_name, create, publicPost, busy, broken) => {
  it.each<Reply>(["drop", "cut", ...busy.map((status) => ({ status }))])(
    "repeats the request once after %j",
    async (failure) => {
      service.respond((_request, index) => (index === 0 ? failure : publicPost));
      expect(await create()(post)).toMatchObject({ status: "public" });
      expect(service.requests).toHaveLength(2);
    },
  );

  it.each([...brokenReplies, ...broken])('yields "unavailable" for %s', async (_, reply) => {
    service.respond(reply);
    const result = await create()(post);
    expect(result.status).toBe("unavailable");
    expect(JSON.stringify(result)).not.toContain(metaMarker);
    expect(service.requests.map((request) => request.path)).not.toContain("/elsewhere");
    expect(service.requests.length).toBeLessThanOrEqual(2);
  });
});

it.each([
  ["post", undefined],
  ["reel", token],
] as const)(
  "requests the link of a %s from Meta, with the token %s only in a header",
  async (type, token) => {
    service.respond(metaReplies.found);
    expect(await oembed({ token })({ ...post, type })).toEqual({ ...limited, type });
    expect(service.requests).toHaveLength(1);
    const { query, headers } = service.requests[0]!;
    const url = `https://www.instagram.com/${type === "post" ? "p" : type}/Cxyz123abc_/`;
    expect(Object.fromEntries(query)).toEqual({ version: "1", url });
    expect(headers.authorization).toBe(token && `Bearer ${token}`);
  },
);

const refusesToken = [190, 10, 200, 299, 3, 102];
it.each([
  [3, 403],
  [102, 400],
  [24, 400],
  [24, 404],
  [100, 400],
  [803, 404],
  [190, 400],
  [190, 401],
  [10, 403],
  [200, 403],
  [299, 400],
])("reads Meta's code %i with status %i, without the token in the reason", async (code, status) => {
  service.respond(metaReplies.error(code, status));
  const reason = `Meta refuses the token or its permissions (HTTP ${status}, code ${code})`;
  expect(await oembed({ token: "123|secret" })(post)).toEqual(
    refusesToken.includes(code) ? { status: "unavailable", reason } : { status: "missing" },
  );
  expect(service.requests).toHaveLength(1);
  expect(await transport.redis.exists(coolOffKey)).toBe(0);
});

describe("the cool-off", () => {
  it.each<readonly [string, Reply, number]>([
    ...[4, 17, 341, 613, 80_002].map((code) => [`code ${code}`, metaReplies.error(code), 300] as const),
    ["code 32", metaReplies.error(32, 403), 300],
    ["a 429 without Meta's JSON", { status: 429, body: "slow down" }, 300],
    ["a 429 with Retry-After", { status: 429, headers: { "retry-after": "30" } }, 30],
    ["an estimate of 2 minutes", metaReplies.error(4, 400, metaReplies.businessUsage(100, 2)), 120],
    [
      "an estimate of a day, limited to an hour",
      metaReplies.error(4, 400, metaReplies.businessUsage(100, 1_440)),
      3_600,
    ],
    ["malformed headers", metaReplies.error(4, 400, { "x-app-usage": "{", "retry-after": "soon" }), 300],
  ])("starts after %s", async (_, reply, seconds) => {
    service.respond(reply);
    expect(await oembed()(post)).toMatchObject({ status: "unavailable" });
    expect(service.requests).toHaveLength(1);
    const left = await transport.redis.ttl(coolOffKey);
    expect(left).toBeGreaterThan(seconds - 5);
    expect(left).toBeLessThanOrEqual(seconds);
  });

  it.each<[string, Record<string, string>, number]>([
    ["95 percent of the app", metaReplies.appUsage(95), 300],
    ["99 percent of the business", metaReplies.businessUsage(99, 7), 420],
    ["60 and 94 percent", { ...metaReplies.appUsage(60), ...metaReplies.businessUsage(94, 0) }, 0],
  ])(
    "starts only near the limit, and the lookup still returns the result, of which it stores nothing: %s",
    async (_, headers, seconds) => {
      service.respond({ ...metaReplies.found, headers });
      expect(await oembed()(post)).toMatchObject({ status: "public" });
      expect(await transport.redis.keys("*")).toEqual(seconds > 0 ? [coolOffKey] : []);
      if (seconds === 0) return;
      expect(await transport.redis.ttl(coolOffKey)).toBeGreaterThan(seconds - 5);
      // The cool-off stores "1", which the Redis client parses as a number.
      expect(await transport.redis.get(coolOffKey)).toBe(1);
    },
  );

  it("stops the requests of all processes, and returns the remaining seconds", async () => {
    service.respond({ ...metaReplies.error(4), headers: { "retry-after": "2" } });
    await oembed()(post);
    service.respond(metaReplies.found);
    const coolingOff = { status: "unavailable", reason: "cool-off", retryAfterSeconds: 2 };
    expect(await oembed()(post)).toEqual(coolingOff);
    expect(service.requests).toHaveLength(0);
  });
});

it("sends code, type and secret to the operator's service", async () => {
  expect(await findIn(found)).toEqual(found);
  expect(service.requests).toHaveLength(1);
  const { query, headers } = service.requests[0]!;
  expect(Object.fromEntries(query)).toEqual({ tenant: "1", code: "Cxyz123abc_", type: "post" });
  expect(headers.authorization).toBe(`Bearer ${token}`);
});

it("says in the reason that a response is not JSON", async () => {
  service.respond("junk");
  const reason = "the response is not JSON of at most 64 KiB";
  expect(await http()(post)).toEqual({ status: "unavailable", reason });
});

const emptyFields = { username: null, caption: "", imageUrl: null, type: null };

it.each<[what: string, body: Record<string, unknown>, result: object]>([
  ["only the status of a private post", { ...found, status: "private" }, { status: "private" }],
  ["only the status of a missing post", { ...found, status: "missing" }, { status: "missing" }],
  ["a public post without other fields", { status: "public" }, { ...limited, type: "post" }],
  ["a public post with empty fields", { status: "public", ...emptyFields }, { ...limited, type: "post" }],
  // The text has control and bidirectional characters, a lone surrogate and an emoji of several characters.
  [
    "cleaned texts",
    { ...found, username: "na\u0007me\u200b", caption: "one\u0000\ntwo\u202e three\ud800 👨‍👩‍👧" },
    { ...found, username: "na me", caption: "one two three 👨‍👩‍👧" },
  ],
  [
    "a shortened caption, without splitting an emoji",
    { ...found, caption: "😀".repeat(900) },
    { ...found, caption: "😀".repeat(500) },
  ],
])("returns %s", async (_, body, result) => {
  expect(await findIn(body)).toEqual(result);
});

it.each<[image: string, isKept: boolean]>([
  ...[
    imageUrl,
    "https://IMAGES.example.com/x",
    "https://images.example.com:443/x",
    "https://a.b.example.net/x",
  ].map((image): [string, boolean] => [image, true]),
  ...[
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
  ].map((image): [string, boolean] => [image, false]),
])("has only images of the configured hosts: %s, %s", async (image, isKept) => {
  const kept = { username: "sample.account", imageUrl: isKept ? new URL(image).href : null };
  expect(await findIn({ ...found, imageUrl: image })).toMatchObject(kept);
  // No host is allowed.
  expect(await findIn({ ...found, imageUrl: image }, [])).toMatchObject({ imageUrl: null });
});
