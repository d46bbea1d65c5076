import type { InstagramPost } from "@/lib/flow/instagram-link";
import { lookupsPerAddressPerHour, lookupsPerFlow } from "@/lib/server/post-lookup/lookup-limits";
import type { AppServer } from "../support/servers/app-server";
import { expectUnavailable } from "../support/in-time";
import { metaMarker, metaReplies, startLookupServer } from "../support/servers/lookup-servers";
import { readRedis } from "../support/redis-contents";
import { useRig } from "../support/rig";
import { linkOf, postCode, postLink } from "../support/sample-posts";
import { newAddress, Visitor, type ApiAnswer } from "../support/visitor";
import { newVisitorInFlow } from "../support/visitor-in-flow";

const token = "1234567890|token-of-the-tests";
const secret = "lookup-secret-of-the-tests";

const rig = useRig({}, async (rig) => {
  const meta = await rig.keep(startLookupServer());
  const service = await rig.keep(startLookupServer());
  const oembedEnv = { POST_LOOKUP: "oembed", META_OEMBED_URL: meta.url, META_OEMBED_TOKEN: token };
  const httpEnv = {
    POST_LOOKUP: "http",
    POST_LOOKUP_URL: service.url,
    POST_LOOKUP_SECRET: secret,
    POST_LOOKUP_IMAGE_HOSTS: "images.example.com",
  };
  const [oembed, oembedTwin, http] = await Promise.all([
    // Two processes with one Redis.
    rig.start({ env: oembedEnv }),
    rig.start({ env: oembedEnv }),
    rig.start({ database: 1, env: httpEnv }),
  ]);
  return { meta, service, httpEnv, oembed, oembedTwin, http };
});

const detailsOf = async (app: AppServer, post?: InstagramPost) =>
  (await newVisitorInFlow(app.url, post)).get("/api/instagram/post-details");
const expectNoLookup = (app: AppServer) =>
  expectUnavailable("post-details", () => detailsOf(app), "lookup_unavailable");

describe("oembed", () => {
  it("confirms a public post with the limited preview, and keeps nothing of Meta's reply", async () => {
    rig.meta.respond({ ...metaReplies.found, headers: metaReplies.appUsage(20) });
    const visitor = new Visitor(rig.oembed.url);
    await visitor.startFlow(postCode);
    expect((await visitor.like(postCode)).status).toBe(200);
    const { body } = await detailsOf(rig.oembed, { postId: postCode, type: "reel" });
    expect(body).toEqual({
      success: true,
      postId: postCode,
      type: "reel",
      username: null,
      caption: null,
      imageUrl: null,
      note: true,
    });
    expect(rig.meta.requests.map(({ query }) => [...query])).toEqual([
      [["url", postLink]],
      [["url", `https://www.instagram.com/reel/${postCode}/`]],
    ]);

    const kept = JSON.stringify(await readRedis(rig.redis.url));
    expect(kept).toContain("{likes}:v2:order:");
    for (const trace of [metaMarker, "blockquote", "instagram-media", "provider_name", token]) {
      expect(kept).not.toContain(trace);
      expect(rig.oembed.output()).not.toContain(trace);
    }
    expect(kept).not.toContain("lookup:cool-off");
  });

  it("says of a post that Meta does not know what is true of both cases", async () => {
    rig.meta.respond(metaReplies.error(24));
    const { status, body } = await detailsOf(rig.oembed);
    expect(status).toBe(200);
    expect(body).toMatchObject({ success: false, code: "post_missing" });
    expect(body.message).toMatch(/deleted, or its account may be private/);
  });

  it.each(["hang", "drip", "drop"] as const)("answers 503 in time when Meta does %s", async (reply) => {
    rig.meta.respond(reply);
    expect(await expectNoLookup(rig.oembed)).toBe(10);
  });

  it("logs a refused token as an error, without token, code or message of Meta's", async () => {
    rig.meta.respond(metaReplies.error(190));
    await expectNoLookup(rig.oembed);
    const line = rig.oembed
      .output()
      .split("\n")
      .find((entry) => entry.includes("code 190"));
    expect(JSON.parse(line ?? "{}")).toMatchObject({
      level: "error",
      route: "post-details",
      cause: "lookup: Meta refuses the token or its permissions (HTTP 400, code 190)",
    });
    for (const trace of [token, postCode, metaMarker, "198.18."])
      expect(rig.oembed.output()).not.toContain(trace);
  });

  it("leaves Meta alone in all processes after a limit, until the cool-off is over", async () => {
    rig.meta.respond({ ...metaReplies.error(4), headers: { "retry-after": "3" } });
    await expectNoLookup(rig.oembed);
    rig.meta.respond(metaReplies.found);
    for (const app of [rig.oembed, rig.oembedTwin]) {
      const seconds = await expectNoLookup(app);
      expect(seconds).toBeGreaterThan(0);
      expect(seconds).toBeLessThanOrEqual(3);
    }
    expect(rig.meta.requests).toHaveLength(0);
    await new Promise((resolve) => setTimeout(resolve, 3_100));
    for (const app of [rig.oembed, rig.oembedTwin]) expect((await detailsOf(app)).status).toBe(200);
    expect(rig.meta.requests).toHaveLength(2);
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
    rig.service.respond({ status: 200, body: found });
    expect((await detailsOf(rig.http)).body).toEqual({
      success: true,
      postId: postCode,
      type: "reel",
      username: "sample.account",
      caption: "Hello",
      imageUrl: "https://images.example.com/a.jpg",
      note: false,
    });
    const { query, headers } = rig.service.requests[0]!;
    expect(Object.fromEntries(query)).toEqual({ code: postCode, type: "post" });
    expect(headers.authorization).toBe(`Bearer ${secret}`);
    expect(rig.http.output()).not.toContain(secret);
  });

  it("drops an image of a host that is not listed", async () => {
    const imageUrl = "https://elsewhere.example.org/a.jpg";
    rig.service.respond({ status: 200, body: { ...found, imageUrl } });
    expect((await detailsOf(rig.http)).body).toMatchObject({ imageUrl: null, note: true });
  });

  it.each([
    ["private", "post_private"],
    ["missing", "post_missing"],
  ])("passes on %s", async (status, expected) => {
    rig.service.respond({ status: 200, body: { status } });
    const answer = await detailsOf(rig.http);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ success: false, code: expected });
  });

  it.each(["hang", "drip", "drop", { status: 503 }, { status: 404 }, { status: 302 }] as const)(
    "answers 503 in time for %j",
    async (reply) => {
      rig.service.respond(reply);
      await expectNoLookup(rig.http);
    },
  );
});

describe("a lookup takes a started flow", () => {
  const found = { status: 200, body: { status: "public", username: "sample.account" } };
  const limited = { success: true, postId: postCode, username: null, imageUrl: null, note: true };
  const flowRequired = { status: 403, body: { success: false, code: "flow_required" } };

  beforeEach(() => rig.service.respond(found));

  it("without one nothing is asked, whatever the post", async () => {
    const visitor = new Visitor(rig.http.url);
    expect(await visitor.details(postLink)).toMatchObject(flowRequired);
    expect(await visitor.get(`/api/instagram/post-details?id=${postCode}`)).toMatchObject(flowRequired);
    expect(await visitor.get("/api/instagram/post-details")).toMatchObject(flowRequired);
    expect(rig.service.requests).toHaveLength(0);
  });

  it("and only its own post is looked up", async () => {
    const visitor = await newVisitorInFlow(rig.http.url);
    expect(await visitor.details(linkOf("Another1"))).toMatchObject(flowRequired);
    expect(await visitor.get("/api/instagram/post-details?id=Another1")).toMatchObject(flowRequired);
    expect(rig.service.requests).toHaveLength(0);
    expect((await visitor.details(postLink)).body).toMatchObject({ success: true, postId: postCode });
  });

  it("which has three of them, from whatever address; then what is known is said without asking", async () => {
    const visitor = await newVisitorInFlow(rig.http.url);
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
    expect(rig.service.requests).toHaveLength(lookupsPerFlow);
  });

  it("and has to begin again when its post was not found in them", async () => {
    const visitor = new Visitor(rig.http.url);
    await visitor.verify(postLink);
    rig.service.respond({ status: 404 });
    for (let n = 0; n < lookupsPerFlow; n += 1) expect((await visitor.details()).status).toBe(503);
    expect(await visitor.details()).toMatchObject(flowRequired);
    expect(rig.service.requests).toHaveLength(lookupsPerFlow);
  });

  it("and one address gets a tenth of the provider's hour, however many flows it has", async () => {
    const strict = await rig.start({ database: 2, env: { ...rig.httpEnv, BURST_LIMIT_SCALE: undefined } });
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
    expect(rig.service.requests.length).toBeLessThanOrEqual(2 * lookupsPerAddressPerHour);
    expect(limitedAnswers.length + rig.service.requests.length).toBe(answers.length);
    expect(limitedAnswers[0]?.body.code).toBe("rate_limited");
    const seconds = Number(limitedAnswers[0]?.headers.get("retry-after"));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(3_600);
  });
});
