import { Redis } from "@upstash/redis";
import type { Reply } from "@/testing/servers/http-double";
import {
  brokenReplies,
  metaMarker,
  metaReplies,
  startLookupServer,
  type LookupServer,
} from "@/testing/servers/lookup-servers";
import { startRedis, type RedisServer } from "@/testing/servers/redis-server";
import { createTcpRequester } from "@/lib/server/redis/tcp";
import { createOembedLookup } from "./oembed";

const coolOffKey = "lookup:cool-off";
const post = { postId: "Cxyz123abc_", type: "post" } as const;
const limited = { status: "public", username: null, caption: null, imageUrl: null };

let server: RedisServer;
let meta: LookupServer;
/** Two Redis connections. Each connection simulates a server process. */
let requesters: ReturnType<typeof createTcpRequester>[];
let redis: Redis;

beforeAll(async () => {
  server = await startRedis();
  meta = await startLookupServer();
  requesters = [createTcpRequester(server.url), createTcpRequester(server.url)];
  redis = new Redis(requesters[0]!);
});
afterAll(async () => {
  for (const requester of requesters) requester.close();
  await meta.stop();
  await server.stop();
});
beforeEach(async () => {
  await redis.flushall();
  jest.spyOn(process.stdout, "write").mockReturnValue(true);
});
afterEach(() => jest.restoreAllMocks());

function createLookup({ token, process = 0 }: { token?: string; process?: number } = {}) {
  return createOembedLookup({ url: `${meta.url}?version=1`, token }, new Redis(requesters[process]!));
}

describe("the request", () => {
  it("contains the rebuilt link, and no token if no token is configured", async () => {
    meta.respond(metaReplies.found);
    expect(await createLookup()(post)).toEqual({ ...limited, type: "post" });
    expect(meta.requests).toHaveLength(1);
    const { query, headers } = meta.requests[0]!;
    const url = "https://www.instagram.com/p/Cxyz123abc_/";
    expect(Object.fromEntries(query)).toEqual({ version: "1", url });
    expect(headers.authorization).toBeUndefined();
  });

  it("contains the token only in a header", async () => {
    meta.respond(metaReplies.found);
    const reel = { postId: "Cxyz123abc_", type: "reel" } as const;
    expect(await createLookup({ token: "123|secret" })(reel)).toEqual({ ...limited, type: "reel" });
    const { query, headers } = meta.requests[0]!;
    expect(query.get("url")).toBe("https://www.instagram.com/reel/Cxyz123abc_/");
    expect(headers.authorization).toBe("Bearer 123|secret");
    expect(query.toString()).not.toContain("secret");
  });

  it.each<Reply>(["drop", "cut", { status: 503 }])("is repeated once after %j", async (failure) => {
    meta.respond((_request, index) => (index === 0 ? failure : metaReplies.found));
    expect(await createLookup()(post)).toMatchObject({ status: "public" });
    expect(meta.requests).toHaveLength(2);
  });
});

describe("Meta's errors", () => {
  it.each([
    [24, 400],
    [24, 404],
    [100, 400],
    [803, 404],
  ])("with code %i and status %i mean a missing post", async (code, status) => {
    meta.respond(metaReplies.error(code, status));
    expect(await createLookup()(post)).toEqual({ status: "missing" });
    expect(meta.requests).toHaveLength(1);
  });

  it.each([
    [190, 400],
    [190, 401],
    [10, 403],
    [200, 403],
    [299, 400],
  ])("with code %i and status %i mean a bad token; the reason omits the token", async (code, status) => {
    meta.respond(metaReplies.error(code, status));
    const reason = `Meta refuses the token or its permissions (HTTP ${status}, code ${code})`;
    const lookup = createLookup({ token: "123|secret" });
    expect(await lookup(post)).toEqual({ status: "unavailable", reason });
    expect(await redis.exists(coolOffKey)).toBe(0);
  });

  it.each<[string, Reply]>([
    ...brokenReplies,
    ["an unknown code", metaReplies.error(2_500)],
    ["a missing post with status 200", { ...metaReplies.error(24), status: 200 }],
    ["a 404 without Meta's JSON", { status: 404, body: "<h1>Not Found</h1>" }],
  ])('yield "unavailable" for %s', async (_, reply) => {
    meta.respond(reply);
    const result = await createLookup()(post);
    expect(result.status).toBe("unavailable");
    expect(JSON.stringify(result)).not.toContain(metaMarker);
    expect(meta.requests.map((request) => request.path)).not.toContain("/elsewhere");
    expect(meta.requests.length).toBeLessThanOrEqual(2);
  });
});

describe("the cool-off", () => {
  it.each<[string, Reply, number]>([
    ["code 4", metaReplies.error(4), 300],
    ["code 17", metaReplies.error(17), 300],
    ["code 32", metaReplies.error(32, 403), 300],
    ["code 613", metaReplies.error(613), 300],
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
    meta.respond(reply);
    expect(await createLookup()(post)).toMatchObject({ status: "unavailable" });
    expect(meta.requests).toHaveLength(1);
    const left = await redis.ttl(coolOffKey);
    expect(left).toBeGreaterThan(seconds - 5);
    expect(left).toBeLessThanOrEqual(seconds);
  });

  it.each<[string, Record<string, string>, number]>([
    ["of the app", metaReplies.appUsage(97), 300],
    ["of the business", metaReplies.businessUsage(99, 7), 420],
  ])(
    "starts when the usage %s is nearly 100 percent, and the lookup still returns the result",
    async (_, headers, seconds) => {
      meta.respond({ ...metaReplies.found, headers });
      expect(await createLookup()(post)).toMatchObject({ status: "public" });
      expect(await redis.ttl(coolOffKey)).toBeGreaterThan(seconds - 5);
    },
  );

  it("does not start at low usage", async () => {
    const headers = { ...metaReplies.appUsage(60), ...metaReplies.businessUsage(80, 0) };
    meta.respond({ ...metaReplies.found, headers });
    await createLookup()(post);
    expect(await redis.exists(coolOffKey)).toBe(0);
  });

  it("stops the requests of all processes until it ends, and returns the remaining seconds", async () => {
    meta.respond({ ...metaReplies.error(4), headers: { "retry-after": "2" } });
    await createLookup({ process: 0 })(post);
    meta.respond(metaReplies.found);
    const coolingOff = { status: "unavailable", reason: "cool-off", retryAfterSeconds: 2 };
    for (const process of [0, 1]) expect(await createLookup({ process })(post)).toEqual(coolingOff);
    expect(meta.requests).toHaveLength(0);
    await new Promise((resolve) => setTimeout(resolve, 2_100));
    expect(await createLookup({ process: 1 })(post)).toMatchObject({ status: "public" });
  });
});

it("stores nothing from a response", async () => {
  meta.respond({ ...metaReplies.found, headers: metaReplies.appUsage(99) });
  await createLookup()(post);
  expect(await redis.keys("*")).toEqual([coolOffKey]);
  // The cool-off stores "1", which the Redis client parses as a number.
  expect(await redis.get(coolOffKey)).toBe(1);
});
