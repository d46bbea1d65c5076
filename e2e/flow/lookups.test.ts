import { expect, test, useServers } from "@/testing/test";
import { limits } from "@/lib/config/limits";
import { shareOf } from "@/lib/config/network-caps";
import { rateLimitPolicies } from "@/lib/server/http/rate-limits";
import { lookupTimeoutMs } from "@/lib/server/post-lookup/post-lookup";
import { attacks } from "../security/budget-attacks";
import type { AppServer } from "@/testing/servers/app-server";
import { expectUnavailable } from "@/testing/in-time";
import { metaMarker, metaReplies, startLookupServer } from "@/testing/servers/lookup-servers";
import { readRedis } from "@/testing/redis-contents";
import { linkOf, postCode, postLink } from "@/testing/sample-posts";
import { newAddress, Visitor, type ApiResponse } from "@/testing/visitor";
import { newVisitorInFlow } from "@/testing/visitor-in-flow";

const token = "1234567890|token-of-the-tests";
const secret = "lookup-secret-of-the-tests";
const found = {
  status: "public",
  username: "sample.account",
  caption: "Hello",
  imageUrl: "https://images.example.com/a.jpg",
};

/* The tests of lib/server/post-lookup cover the responses of Meta and of lookup services. */

const servers = useServers({}, async (servers) => {
  const meta = await servers.keep(startLookupServer());
  const service = await servers.keep(startLookupServer());
  const oembedEnv = { POST_LOOKUP: "oembed", META_OEMBED_URL: meta.url, META_OEMBED_TOKEN: token };
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

test.describe("with oEmbed", () => {
  test("confirms a public post with a limited preview", async () => {
    servers.meta.respond({ ...metaReplies.found, headers: metaReplies.appUsage(20) });
    expect((await detailsOf(servers.oembed)).body).toEqual({
      success: true,
      postId: postCode,
      type: "post",
      username: null,
      caption: null,
      imageUrl: null,
      note: true,
      checked: true,
      sample: false,
    });
    for (const secretText of [metaMarker, token]) expect(servers.oembed.output()).not.toContain(secretText);
  });

  test("reports an unknown post as deleted or private", async () => {
    servers.meta.respond(metaReplies.error(24));
    const { status, body } = await detailsOf(servers.oembed);
    expect(status).toBe(200);
    expect(body).toMatchObject({ success: false, code: "post_missing" });
    expect(body.message).toMatch(/deleted, or its account may be private/);
  });

  test("logs a rejected token as an error, without the token, the post or Meta's message", async () => {
    servers.meta.respond(metaReplies.error(190));
    await expectNoLookup(servers.oembed);
    const line = servers.oembed
      .output()
      .split("\n")
      .find((entry) => entry.includes("code 190"));
    expect(JSON.parse(line ?? "{}")).toMatchObject({
      level: "error",
      route: "post-details",
      cause: "lookup: Meta refuses the token or its permissions (HTTP 400, code 190)",
    });
    for (const text of [token, postCode, metaMarker, "198.18."])
      expect(servers.oembed.output()).not.toContain(text);
  });
});

test("returns the post of a lookup service", async () => {
  servers.service.respond({ status: 200, body: found });
  expect((await detailsOf(servers.http)).body).toEqual({
    success: true,
    postId: postCode,
    type: "post",
    username: found.username,
    caption: found.caption,
    imageUrl: found.imageUrl,
    note: false,
    checked: true,
    sample: false,
  });
  const { query, headers } = servers.service.requests[0]!;
  expect(Object.fromEntries(query)).toEqual({ code: postCode, type: "post" });
  expect(headers.authorization).toBe(`Bearer ${secret}`);
  expect(servers.http.output()).not.toContain(secret);
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

test("sends Retry-After and no request to Meta during a cool-off", async () => {
  servers.meta.respond({ ...metaReplies.error(4), headers: { "retry-after": "2" } });
  await expectNoLookup(servers.oembed);
  servers.meta.respond(metaReplies.found);
  expect(await expectNoLookup(servers.oembed)).toBeLessThanOrEqual(2);
  expect(servers.meta.requests).toHaveLength(0);
});

test.describe("a lookup", () => {
  const limited = { success: true, postId: postCode, username: null, imageUrl: null, note: true };
  const flowRequired = { status: 403, body: { success: false, code: "flow_required" } };

  test.beforeEach(() => servers.service.respond({ status: 200, body: found }));

  test("is possible only for the post of the flow", async () => {
    const stranger = new Visitor(servers.http.url);
    const visitor = await newVisitorInFlow(servers.http.url);
    expect(await stranger.details(postLink)).toMatchObject(flowRequired);
    expect(await visitor.details(linkOf("Another1"))).toMatchObject(flowRequired);
    expect(await visitor.get("/api/instagram/post-details?id=Another1")).toMatchObject(flowRequired);
    expect(servers.service.requests).toHaveLength(0);
    expect((await visitor.details(postLink)).body).toMatchObject({ success: true, postId: postCode });
  });

  test("is possible three times per flow from all addresses, and later responses are limited", async () => {
    const networkRecords = async () =>
      (await readRedis(`${servers.redis.url}/1`)).filter(({ key }) => /lookup.*:shares:/.test(key));
    const before = await networkRecords();
    const visitor = await newVisitorInFlow(servers.http.url);
    for (let n = 0; n < rateLimitPolicies.lookup.requests + 2; n += 1) {
      visitor.options.address = newAddress();
      const { status, body } = await visitor.details();
      expect({ n, status, username: body.username }).toEqual({
        n,
        status: 200,
        username: n < rateLimitPolicies.lookup.requests ? "sample.account" : null,
      });
    }
    expect((await visitor.details()).body).toMatchObject({ ...limited, checked: true });
    expect(servers.service.requests).toHaveLength(rateLimitPolicies.lookup.requests);
    // Only the lookups that were made count for their networks.
    expect(await networkRecords()).toHaveLength(before.length + rateLimitPolicies.lookup.requests);
  });

  test("requires a new flow after three failures", async () => {
    const visitor = new Visitor(servers.http.url);
    await visitor.verify(postLink);
    servers.service.respond({ status: 404 });
    for (let n = 0; n < rateLimitPolicies.lookup.requests; n += 1)
      expect((await visitor.details()).status).toBe(503);
    expect(await visitor.details()).toMatchObject(flowRequired);
    expect(servers.service.requests).toHaveLength(rateLimitPolicies.lookup.requests);
  });

  test("that finds a private post also counts after one that found it public", async () => {
    const visitor = await newVisitorInFlow(servers.http.url);
    expect((await visitor.details()).body).toMatchObject({ success: true, checked: true });
    servers.service.respond({ status: 200, body: { status: "private" } });
    for (let n = 1; n < rateLimitPolicies.lookup.requests; n += 1)
      expect((await visitor.details()).body).toMatchObject({ code: "post_private" });
    expect((await visitor.details()).body).toMatchObject({ ...limited, checked: false });
  });

  for (const { network, address } of attacks.filter(({ name }) => /address|48/.test(name)))
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
      const previews = responses.filter(({ body }) => body.username === null);
      expect(previews).toHaveLength(responses.length - share);
      for (const { status, body } of previews)
        expect({ status, body }).toMatchObject({ status: 200, body: { ...limited, checked: false } });

      const moved = new Visitor(strict.url);
      await moved.verify(postLink);
      const unused = moved.options.address;
      for (const [from, checked] of [
        [address(1), false],
        [unused, true],
        [address(1), true],
      ] as const) {
        moved.options.address = from;
        expect((await moved.details()).body).toMatchObject({ success: true, checked });
      }
      const late = new Visitor(strict.url);
      await late.verify(postLink);
      late.options.address = address(1);
      for (let n = 0; n <= rateLimitPolicies.lookup.requests; n += 1)
        expect((await late.details()).body).toMatchObject({ ...limited, checked: false });
    });
});
