import { startApp, type AppServer } from "./support/app-server";
import { inTime } from "./support/in-time";
import { metaMarker, metaReplies, startLookupServer, type LookupServer } from "./support/lookup-servers";
import { readRedis } from "./support/redis-contents";
import { startRedis, type RedisServer } from "./support/redis-server";
import { newAddress, Visitor } from "./support/visitor";

const code = "Cxyz123abc_";
const link = `https://www.instagram.com/p/${code}/`;
const token = "1234567890|token-of-the-tests";
const secret = "lookup-secret-of-the-tests";

let redis: RedisServer;
let meta: LookupServer;
let service: LookupServer;
/** Two processes with one Redis. */
let oembed: AppServer;
let oembedTwin: AppServer;
let http: AppServer;

beforeAll(async () => {
  redis = await startRedis();
  meta = await startLookupServer();
  service = await startLookupServer();
  const env = { TRUSTED_IP_HEADER: "x-real-ip" };
  const oembedEnv = {
    ...env,
    POST_LOOKUP: "oembed",
    META_OEMBED_URL: meta.url,
    META_OEMBED_TOKEN: token,
  };
  const httpEnv = {
    ...env,
    POST_LOOKUP: "http",
    POST_LOOKUP_URL: service.url,
    POST_LOOKUP_SECRET: secret,
    POST_LOOKUP_IMAGE_HOSTS: "images.example.com",
  };
  [oembed, oembedTwin, http] = await Promise.all([
    startApp({ redisUrl: `${redis.url}/0`, env: oembedEnv }),
    startApp({ redisUrl: `${redis.url}/0`, env: oembedEnv }),
    startApp({ redisUrl: `${redis.url}/1`, env: httpEnv }),
  ]);
});
afterAll(async () => {
  for (const app of [oembed, oembedTwin, http]) await app?.stop();
  await meta?.stop();
  await service?.stop();
  await redis?.stop();
});

const newVisitor = (app: AppServer) => new Visitor(app.url, { address: newAddress(), fingerprint: "fp" });

function detailsOf(app: AppServer, url = link) {
  return newVisitor(app).get(`/api/instagram/post-details?url=${encodeURIComponent(url)}`);
}

/** The promise of every failing endpoint: 503 with Retry-After, within 2 s. Returns the seconds to wait. */
async function expectUnavailable(app: AppServer): Promise<number> {
  const startedAt = performance.now();
  const { status, body, headers } = await detailsOf(app);
  const seconds = (performance.now() - startedAt) / 1_000;
  expect({ status, code: body.code, inTime: inTime(seconds) }).toEqual({
    status: 503,
    code: "lookup_unavailable",
    inTime: true,
  });
  return Number(headers.get("retry-after"));
}

describe("oembed", () => {
  it("confirms a public post with the limited preview, and keeps nothing of Meta's reply", async () => {
    meta.respond({ ...metaReplies.found, headers: metaReplies.appUsage(20) });
    const visitor = newVisitor(oembed);
    await visitor.startFlow(code);
    expect((await visitor.like(code)).status).toBe(200);
    const { body } = await detailsOf(oembed, `https://instagram.com/reel/${code}/?igsh=tracking`);
    expect(body).toEqual({
      success: true,
      postId: code,
      type: "reel",
      username: null,
      caption: null,
      imageUrl: null,
      note: true,
    });
    expect(meta.requests.map(({ query }) => [...query])).toEqual([
      [["url", link]],
      [["url", `https://www.instagram.com/reel/${code}/`]],
    ]);

    const kept = JSON.stringify(await readRedis(redis.url));
    expect(kept).toContain("{likes}:v2:order:");
    for (const trace of [metaMarker, "blockquote", "instagram-media", "provider_name", token]) {
      expect(kept).not.toContain(trace);
      expect(oembed.output()).not.toContain(trace);
    }
    expect(kept).not.toContain("lookup:");
  });

  it("says of a post that Meta does not know what is true of both cases", async () => {
    meta.respond(metaReplies.error(24));
    const { status, body } = await detailsOf(oembed);
    expect(status).toBe(200);
    expect(body).toMatchObject({ success: false, code: "post_missing" });
    expect(body.message).toMatch(/deleted, or its account may be private/);
  });

  it.each(["hang", "drip", "drop"] as const)("answers 503 in time when Meta does %s", async (reply) => {
    meta.respond(reply);
    expect(await expectUnavailable(oembed)).toBe(10);
  });

  it("logs a refused token as an error, without token, code or message of Meta's", async () => {
    meta.respond(metaReplies.error(190));
    await expectUnavailable(oembed);
    const line = oembed
      .output()
      .split("\n")
      .find((entry) => entry.includes("code 190"));
    expect(JSON.parse(line ?? "{}")).toMatchObject({
      level: "error",
      route: "post-details",
      cause: "lookup: Meta refuses the token or its permissions (HTTP 400, code 190)",
    });
    for (const trace of [token, code, metaMarker, "198.18."]) expect(oembed.output()).not.toContain(trace);
  });

  it("leaves Meta alone in all processes after a limit, until the cool-off is over", async () => {
    meta.respond({ ...metaReplies.error(4), headers: { "retry-after": "3" } });
    await expectUnavailable(oembed);
    meta.respond(metaReplies.found);
    for (const app of [oembed, oembedTwin]) {
      const seconds = await expectUnavailable(app);
      expect(seconds).toBeGreaterThan(0);
      expect(seconds).toBeLessThanOrEqual(3);
    }
    expect(meta.requests).toHaveLength(0);
    await new Promise((resolve) => setTimeout(resolve, 3_100));
    for (const app of [oembed, oembedTwin]) expect((await detailsOf(app)).status).toBe(200);
    expect(meta.requests).toHaveLength(2);
  });
});

describe("http", () => {
  const found = {
    status: "public",
    username: "sample.account",
    caption: "Hello",
    imageUrl: "https://images.example.com/a.jpg",
    type: "reel",
  };

  it("shows what the service says", async () => {
    service.respond({ status: 200, body: found });
    expect((await detailsOf(http)).body).toEqual({
      success: true,
      postId: code,
      type: "reel",
      username: "sample.account",
      caption: "Hello",
      imageUrl: "https://images.example.com/a.jpg",
      note: false,
    });
    const { query, headers } = service.requests[0]!;
    expect(Object.fromEntries(query)).toEqual({ code, type: "post" });
    expect(headers.authorization).toBe(`Bearer ${secret}`);
    expect(http.output()).not.toContain(secret);
  });

  it("drops an image of a host that is not listed", async () => {
    const imageUrl = "https://elsewhere.example.org/a.jpg";
    service.respond({ status: 200, body: { ...found, imageUrl } });
    expect((await detailsOf(http)).body).toMatchObject({ imageUrl: null, note: true });
  });

  it.each([
    ["private", "post_private"],
    ["missing", "post_missing"],
  ])("passes on %s", async (status, expected) => {
    service.respond({ status: 200, body: { status } });
    const answer = await detailsOf(http);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ success: false, code: expected });
  });

  it.each(["hang", "drip", "drop", { status: 503 }, { status: 404 }, { status: 302 }] as const)(
    "answers 503 in time for %j",
    async (reply) => {
      service.respond(reply);
      await expectUnavailable(http);
    },
  );
});
