import { expect, test, useServers } from "@/testing/test";
import { limits } from "@/lib/config/limits";
import { shareOf } from "@/lib/config/network-caps";
import { rateLimitPolicies } from "@/lib/server/http/rate-limits";
import { lookupTimeoutMs } from "@/lib/server/post-lookup/post-lookup";
import type { AppServer } from "@/testing/servers/app-server";
import { expectUnavailable } from "@/testing/in-time";
import { metaReplies, startLookupServer } from "@/testing/servers/lookup-servers";
import { readRedis } from "@/testing/redis-contents";
import { linkOf, postCode, postLink } from "@/testing/sample-posts";
import { newAddress, Visitor, type ApiResponse } from "@/testing/visitor";
import { newVisitorInFlow } from "@/testing/visitor-in-flow";

const secret = "lookup-secret-of-the-tests";
const preview = {
  username: "sample.account",
  caption: "Hello",
  imageUrl: "https://images.example.com/a.jpg",
};
const found = { status: "public", ...preview };
const perFlow = rateLimitPolicies.lookup.requests;

/* The tests of lib/server/post-lookup cover the requests to Meta and to lookup services, and their responses. */

const servers = useServers({}, async (servers) => {
  const meta = await servers.keep(startLookupServer());
  const service = await servers.keep(startLookupServer());
  const oembedEnv = {
    POST_LOOKUP: "oembed",
    META_OEMBED_URL: meta.url,
    META_OEMBED_TOKEN: "1234567890|token",
  };
  const httpEnv = {
    POST_LOOKUP: "http",
    POST_LOOKUP_URL: service.url,
    POST_LOOKUP_SECRET: secret,
    POST_LOOKUP_IMAGE_HOSTS: "images.example.com",
  };
  const [oembed, http] = await Promise.all([
    servers.start({ env: oembedEnv }),
    servers.start({ database: 1, env: httpEnv }),
  ]);
  return { meta, service, httpEnv, oembed, http };
});

const detailsOf = async (app: AppServer) =>
  (await newVisitorInFlow(app.url)).get("/api/instagram/post-details");
const expectNoLookup = (app: AppServer, waitSeconds?: number) =>
  expectUnavailable("post-details", () => detailsOf(app), "lookup_unavailable", waitSeconds);

test("returns the details of a post that Meta or a lookup service has found, and Meta's missing post", async () => {
  const checked = { success: true, postId: postCode, type: "post", checked: true, sample: false };
  servers.meta.respond({ ...metaReplies.found, headers: metaReplies.appUsage(20) });
  const limited = { username: null, caption: null, imageUrl: null, note: true };
  expect((await detailsOf(servers.oembed)).body).toEqual({ ...checked, ...limited });
  servers.service.respond({ body: { ...found, type: "reel" } });
  expect((await detailsOf(servers.http)).body).toEqual({ ...checked, ...preview, type: "reel", note: false });
  servers.meta.respond(metaReplies.error(24));
  expect(await detailsOf(servers.oembed)).toMatchObject({
    status: 200,
    body: {
      success: false,
      code: "post_missing",
      message: expect.stringMatching(/deleted, or its account may be private/),
    },
  });
});

for (const [lookup, responder] of [
  ["oembed", "meta"],
  ["http", "service"],
] as const)
  test(`waits 8 s for the ${lookup} lookup, and responds 503 in time while it hangs`, async () => {
    const reply = lookup === "oembed" ? metaReplies.found : { body: found };
    servers[responder].respond({ ...reply, delayMs: 8_000 });
    expect((await detailsOf(servers[lookup])).body).toMatchObject({ success: true, checked: true });
    servers[responder].respond("hang");
    expect(await expectNoLookup(servers[lookup], lookupTimeoutMs / 1_000)).toBe(10);
  });

test("names the rest of Meta's pause in Retry-After", async () => {
  await servers.store.set("lookup:cool-off", "1", { ex: 300 });
  expect(await expectNoLookup(servers.oembed)).toBeGreaterThan(290);
  await servers.store.del("lookup:cool-off");
});

test.describe("a lookup", () => {
  const limited = { success: true, postId: postCode, username: null, imageUrl: null, note: true };
  const flowRequired = { status: 403, body: { success: false, code: "flow_required" } };

  test.beforeEach(() => servers.service.respond({ body: found }));

  test("is possible only for the post of the flow", async () => {
    const visitor = await newVisitorInFlow(servers.http.url);
    expect(await new Visitor(servers.http.url).details(postLink)).toMatchObject(flowRequired);
    expect(await visitor.details(linkOf("Another1"))).toMatchObject(flowRequired);
    expect(await visitor.get("/api/instagram/post-details?id=Another1")).toMatchObject(flowRequired);
    expect(servers.service.requests).toHaveLength(0);
    expect((await visitor.details(postLink)).body).toMatchObject({ success: true, postId: postCode });
  });

  test("is possible three times per flow from all addresses, and later responses are limited", async () => {
    const networkRecords = async () =>
      (await readRedis(`${servers.redis.url}/1`)).filter(({ key }) => /lookup.*:shares:/.test(key)).length;
    const before = await networkRecords();
    const visitor = await newVisitorInFlow(servers.http.url);
    for (let n = 0; n < perFlow + 2; n += 1) {
      visitor.options.address = newAddress();
      const { body } = await visitor.details();
      expect(body).toMatchObject({ ...(n < perFlow ? preview : limited), success: true, checked: true });
    }
    expect(servers.service.requests).toHaveLength(perFlow);
    // Only the lookups that were made count for their networks.
    expect(await networkRecords()).toBe(before + perFlow);
  });

  test("counts for its networks for an hour after their first lookup", async () => {
    const records = async () =>
      (await readRedis(`${servers.redis.url}/1`)).filter(({ key }) => /lookup.*:shares:/.test(key));
    const before = (await records()).map(({ key }) => key);
    const visitor = await newVisitorInFlow(servers.http.url);
    await visitor.details();
    const [first] = (await records()).filter(({ key }) => !before.includes(key));
    expect(first?.lifeSeconds).toBeGreaterThan(3_590);
    await (await servers.openRedis(`${servers.redis.url}/1`)).expire(first!.key, 600);
    await visitor.details();
    expect((await records()).find(({ key }) => key === first?.key)?.lifeSeconds).toBeLessThanOrEqual(600);
  });

  for (const [network, address] of [
    ["address", (n: number) => `2001:db8:0:1::${n.toString(16)}`],
    ["IPv6 /48", (n: number) => `2001:db8:3:${((n * 257) % 65_536).toString(16)}::1`],
  ] as const)
    test(`takes at most the share of an ${network} in an hour, and then calls no post checked`, async () => {
      const strict = await servers.start({
        database: 2,
        env: { ...servers.httpEnv, TEST_RATE_LIMIT_SCALE: undefined },
      });
      const share = shareOf(network, limits.lookupsPerHour);
      let started = 0;
      const lookUp = async () => {
        const visitor = await newVisitorInFlow(strict.url);
        visitor.options.address = address((started += 1));
        return visitor.details();
      };
      // In small groups, because a busy machine responds late to more.
      const responses: ApiResponse[] = [];
      while (responses.length < share + 15)
        responses.push(...(await Promise.all(Array.from({ length: 15 }, lookUp))));
      expect(servers.service.requests).toHaveLength(share);
      const above = responses.filter(({ body }) => body.username === null);
      expect(above).toHaveLength(responses.length - share);
      for (const { body } of above) expect(body).toMatchObject({ ...limited, checked: false });

      const startedFlow = async () => {
        const visitor = new Visitor(strict.url);
        await visitor.verify(postLink);
        return visitor;
      };
      const moved = await startedFlow();
      const unused = moved.options.address;
      for (const [from, checked] of [
        [address(1), false],
        [unused, true],
        [address(1), true],
      ] as const) {
        moved.options.address = from;
        expect((await moved.details()).body).toMatchObject({ success: true, checked });
      }
      const late = await startedFlow();
      late.options.address = address(1);
      for (let n = 0; n <= perFlow; n += 1)
        expect((await late.details()).body).toMatchObject({ ...limited, checked: false });
    });
});
