import { expect, test, useServers } from "../support/test";
import type { InstagramPost } from "@/lib/flow/instagram-link";
import { lookupsPerAddressPerHour, lookupsPerFlow } from "@/lib/server/post-lookup/lookup-limits";
import type { AppServer } from "../support/servers/app-server";
import { expectUnavailable } from "../support/in-time";
import { metaMarker, metaReplies, startLookupServer } from "../support/servers/lookup-servers";
import { readRedis } from "../support/redis-contents";
import { linkOf, postCode, postLink } from "../support/sample-posts";
import { newAddress, Visitor, type ApiAnswer } from "../support/visitor";
import { newVisitorInFlow } from "../support/visitor-in-flow";

const token = "1234567890|token-of-the-tests";
const secret = "lookup-secret-of-the-tests";

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
  const [oembed, oembedTwin, http] = await Promise.all([
    // Two processes with one Redis.
    servers.start({ env: oembedEnv }),
    servers.start({ env: oembedEnv }),
    servers.start({ database: 1, env: httpEnv }),
  ]);
  return { meta, service, httpEnv, oembed, oembedTwin, http };
});

const detailsOf = async (app: AppServer, post?: InstagramPost) =>
  (await newVisitorInFlow(app.url, post)).get("/api/instagram/post-details");
const expectNoLookup = (app: AppServer) =>
  expectUnavailable("post-details", () => detailsOf(app), "lookup_unavailable");

test.describe("oembed", () => {
  test("confirms a public post with the limited preview, and keeps nothing of Meta's reply", async () => {
    servers.meta.respond({ ...metaReplies.found, headers: metaReplies.appUsage(20) });
    const visitor = new Visitor(servers.oembed.url);
    await visitor.startFlow(postCode);
    expect((await visitor.like(postCode)).status).toBe(200);
    const { body } = await detailsOf(servers.oembed, { postId: postCode, type: "reel" });
    expect(body).toEqual({
      success: true,
      postId: postCode,
      type: "reel",
      username: null,
      caption: null,
      imageUrl: null,
      note: true,
    });
    expect(servers.meta.requests.map(({ query }) => [...query])).toEqual([
      [["url", postLink]],
      [["url", `https://www.instagram.com/reel/${postCode}/`]],
    ]);

    const kept = JSON.stringify(await readRedis(servers.redis.url));
    expect(kept).toContain("{likes}:v2:order:");
    for (const trace of [metaMarker, "blockquote", "instagram-media", "provider_name", token]) {
      expect(kept).not.toContain(trace);
      expect(servers.oembed.output()).not.toContain(trace);
    }
    expect(kept).not.toContain("lookup:cool-off");
  });

  test("says of a post that Meta does not know what is true of both cases", async () => {
    servers.meta.respond(metaReplies.error(24));
    const { status, body } = await detailsOf(servers.oembed);
    expect(status).toBe(200);
    expect(body).toMatchObject({ success: false, code: "post_missing" });
    expect(body.message).toMatch(/deleted, or its account may be private/);
  });

  for (const reply of ["hang", "drip", "drop"] as const)
    test(`answers 503 in time when Meta does ${reply}`, async () => {
      servers.meta.respond(reply);
      expect(await expectNoLookup(servers.oembed)).toBe(10);
    });

  test("logs a refused token as an error, without token, code or message of Meta's", async () => {
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
    for (const trace of [token, postCode, metaMarker, "198.18."])
      expect(servers.oembed.output()).not.toContain(trace);
  });

  test("leaves Meta alone in all processes after a limit, until the cool-off is over", async () => {
    servers.meta.respond({ ...metaReplies.error(4), headers: { "retry-after": "3" } });
    await expectNoLookup(servers.oembed);
    servers.meta.respond(metaReplies.found);
    for (const app of [servers.oembed, servers.oembedTwin]) {
      const seconds = await expectNoLookup(app);
      expect(seconds).toBeGreaterThan(0);
      expect(seconds).toBeLessThanOrEqual(3);
    }
    expect(servers.meta.requests).toHaveLength(0);
    await new Promise((resolve) => setTimeout(resolve, 3_100));
    for (const app of [servers.oembed, servers.oembedTwin]) expect((await detailsOf(app)).status).toBe(200);
    expect(servers.meta.requests).toHaveLength(2);
  });
});

test.describe("http", () => {
  const found = {
    status: "public",
    username: "sample.account",
    caption: "Hello",
    imageUrl: "https://images.example.com/a.jpg",
    type: "reel",
  };

  test("shows what the service says", async () => {
    servers.service.respond({ status: 200, body: found });
    expect((await detailsOf(servers.http)).body).toEqual({
      success: true,
      postId: postCode,
      type: "reel",
      username: "sample.account",
      caption: "Hello",
      imageUrl: "https://images.example.com/a.jpg",
      note: false,
    });
    const { query, headers } = servers.service.requests[0]!;
    expect(Object.fromEntries(query)).toEqual({ code: postCode, type: "post" });
    expect(headers.authorization).toBe(`Bearer ${secret}`);
    expect(servers.http.output()).not.toContain(secret);
  });

  test("drops an image of a host that is not listed", async () => {
    const imageUrl = "https://elsewhere.example.org/a.jpg";
    servers.service.respond({ status: 200, body: { ...found, imageUrl } });
    expect((await detailsOf(servers.http)).body).toMatchObject({ imageUrl: null, note: true });
  });

  for (const [status, expected] of [
    ["private", "post_private"],
    ["missing", "post_missing"],
  ] as const)
    test(`passes on ${status}`, async () => {
      servers.service.respond({ status: 200, body: { status } });
      const answer = await detailsOf(servers.http);
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({ success: false, code: expected });
    });

  for (const reply of ["hang", "drip", "drop", { status: 503 }, { status: 404 }, { status: 302 }] as const)
    test(`answers 503 in time for ${JSON.stringify(reply)}`, async () => {
      servers.service.respond(reply);
      await expectNoLookup(servers.http);
    });
});

test.describe("a lookup takes a started flow", () => {
  const found = { status: 200, body: { status: "public", username: "sample.account" } };
  const limited = { success: true, postId: postCode, username: null, imageUrl: null, note: true };
  const flowRequired = { status: 403, body: { success: false, code: "flow_required" } };

  test.beforeEach(() => servers.service.respond(found));

  test("without one nothing is asked, whatever the post", async () => {
    const visitor = new Visitor(servers.http.url);
    expect(await visitor.details(postLink)).toMatchObject(flowRequired);
    expect(await visitor.get(`/api/instagram/post-details?id=${postCode}`)).toMatchObject(flowRequired);
    expect(await visitor.get("/api/instagram/post-details")).toMatchObject(flowRequired);
    expect(servers.service.requests).toHaveLength(0);
  });

  test("and only its own post is looked up", async () => {
    const visitor = await newVisitorInFlow(servers.http.url);
    expect(await visitor.details(linkOf("Another1"))).toMatchObject(flowRequired);
    expect(await visitor.get("/api/instagram/post-details?id=Another1")).toMatchObject(flowRequired);
    expect(servers.service.requests).toHaveLength(0);
    expect((await visitor.details(postLink)).body).toMatchObject({ success: true, postId: postCode });
  });

  test("which has three of them, from whatever address; then what is known is said without asking", async () => {
    const visitor = await newVisitorInFlow(servers.http.url);
    for (let n = 0; n < lookupsPerFlow + 2; n += 1) {
      visitor.options.address = newAddress();
      const { status, body } = await visitor.details();
      expect({ n, status, username: body.username }).toEqual({
        n,
        status: 200,
        username: n < lookupsPerFlow ? "sample.account" : null,
      });
    }
    expect((await visitor.details()).body).toMatchObject(limited);
    expect(servers.service.requests).toHaveLength(lookupsPerFlow);
  });

  test("and has to begin again when its post was not found in them", async () => {
    const visitor = new Visitor(servers.http.url);
    await visitor.verify(postLink);
    servers.service.respond({ status: 404 });
    for (let n = 0; n < lookupsPerFlow; n += 1) expect((await visitor.details()).status).toBe(503);
    expect(await visitor.details()).toMatchObject(flowRequired);
    expect(servers.service.requests).toHaveLength(lookupsPerFlow);
  });

  test("and one address gets a tenth of the provider's hour, however many flows it has", async () => {
    const strict = await servers.start({
      database: 2,
      env: { ...servers.httpEnv, BURST_LIMIT_SCALE: undefined },
    });
    const address = newAddress();
    const ask = async () => {
      const visitor = await newVisitorInFlow(strict.url);
      visitor.options.address = address;
      return visitor.details();
    };
    // A new hour may begin meanwhile, with a count of its own. A few at a time: on a busy machine more would be late.
    const answers: ApiAnswer[] = [];
    while (answers.length <= 2 * lookupsPerAddressPerHour) {
      answers.push(...(await Promise.all(Array.from({ length: 15 }, ask))));
    }
    const limitedAnswers = answers.filter(({ status }) => status === 429);
    expect(servers.service.requests.length).toBeLessThanOrEqual(2 * lookupsPerAddressPerHour);
    expect(limitedAnswers.length + servers.service.requests.length).toBe(answers.length);
    expect(limitedAnswers[0]?.body.code).toBe("rate_limited");
    const seconds = Number(limitedAnswers[0]?.headers.get("retry-after"));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(3_600);
  });
});
