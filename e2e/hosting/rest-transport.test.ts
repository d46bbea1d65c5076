import { expect, test, useServers } from "../support/test";
import { until } from "../support/until";
import { startFlow } from "../support/browser/flow-pages";
import { expectUnavailable } from "../support/in-time";
import { postLink } from "../support/sample-posts";
import { startUpstashServer } from "../support/servers/upstash-server";
import { likesUsed, Visitor } from "../support/visitor";

/* The product over Upstash's REST API instead of TCP: the same flow, and the same promises when it fails. */

const servers = useServers({}, async (servers) => {
  const upstash = await servers.keep(startUpstashServer(servers.redis.url));
  const env = { UPSTASH_REDIS_REST_URL: upstash.url, UPSTASH_REDIS_REST_TOKEN: upstash.token };
  return { upstash, app: await servers.start({ redisUrl: undefined, env }) };
});

const newVisitor = () => new Visitor(servers.app.url);

test("goes through the whole flow: captcha, details, status, like, cooldown", async () => {
  const before = await likesUsed(servers.app.url);
  const visitor = newVisitor();
  const url = postLink;
  const token = await visitor.solveCaptcha();
  expect((await visitor.post("/api/recaptcha/verify", { token, url })).status).toBe(200);
  // The token is used up.
  expect(await newVisitor().post("/api/recaptcha/verify", { token, url })).toMatchObject({
    body: { success: false, code: "captcha_rejected" },
  });
  expect((await visitor.details()).body).toMatchObject({ success: true });
  expect((await visitor.get("/api/instagram/status")).body).toMatchObject({
    canRequest: true,
    pending: false,
  });
  const answer = await visitor.like("Cxyz123abc_", "key");
  expect(answer).toMatchObject({ status: 200, body: { order: { postId: "Cxyz123abc_", likes: 50 } } });
  expect((await visitor.like("Cxyz123abc_", "key")).body.order).toEqual(answer.body.order);
  expect(await visitor.like()).toMatchObject({ status: 429, body: { code: "cooldown" } });
  expect((await visitor.get("/api/instagram/status")).body).toMatchObject({
    canRequest: false,
    reason: "cooldown",
  });
  expect((await visitor.post("/api/404", { path: "/nowhere" })).status).toBeLessThan(300);
  expect(await likesUsed(servers.app.url)).toBe(before + 50);
});

test("orders once although an answer is lost on the way", async () => {
  const before = await likesUsed(servers.app.url);
  const visitor = newVisitor();
  await visitor.startFlow();
  const requests = servers.upstash.requests;
  servers.upstash.failNext("lose-response");
  expect((await visitor.like()).status).toBe(200);
  // Reserve twice, settle once, and whatever a process asks at its first order.
  expect(servers.upstash.requests).toBeGreaterThanOrEqual(requests + 3);
  expect(await likesUsed(servers.app.url)).toBe(before + 50);
});

const outages = [
  {
    name: "Redis behind it is frozen",
    fail: () => Promise.resolve(servers.redis.freeze()),
    heal: () => Promise.resolve(servers.redis.thaw()),
  },
  { name: "Redis behind it is down", fail: () => servers.redis.kill(), heal: () => servers.redis.restart() },
  {
    name: "it never answers",
    fail: () => Promise.resolve(servers.upstash.failAll("hang")),
    heal: () => Promise.resolve(servers.upstash.failAll(null)),
  },
  {
    name: "it breaks every connection",
    fail: () => Promise.resolve(servers.upstash.failAll("break")),
    heal: () => Promise.resolve(servers.upstash.failAll(null)),
  },
];

for (const { name, fail, heal } of outages)
  test(`fails closed, and works again without a restart: ${name}`, async () => {
    const visitor = newVisitor();
    await visitor.startFlow();
    const token = await visitor.solveCaptcha();
    await fail();
    try {
      await Promise.all([
        expectUnavailable("like", () => visitor.like()),
        expectUnavailable("verify", () => visitor.post("/api/recaptcha/verify", { token })),
        expectUnavailable("post-details", () => visitor.details()),
        expectUnavailable("status", () => visitor.get("/api/instagram/status")),
        expectUnavailable("daily-usage", () => visitor.get("/api/instagram/daily-usage")),
        expectUnavailable("404", () => visitor.post("/api/404", { path: "/nowhere" })),
      ]);
      expect((await visitor.fetch("/get-likes/")).status).toBe(200);
    } finally {
      await heal();
    }
    await until("it answers", async () => (await visitor.get("/api/instagram/status")).status === 200);
    expect((await visitor.get("/api/instagram/status")).body).toMatchObject({ canRequest: true });
    // Where only the answer was lost, the first attempt's lease has to run out.
    await until("the order goes through", async () => (await visitor.like()).status === 200);
    expect(servers.app.output()).not.toContain(servers.upstash.token);
  });

test("serves a browser from the pasted link to the receipt", async ({ open }) => {
  const { page, problems } = await open();
  await startFlow(page, servers.app.url, postLink);
  await page.getByRole("link", { name: "Preview this post" }).click();
  await page.getByRole("button", { name: "Get 50 Free Likes" }).click();
  const reference = page.getByText(/[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}/).first();
  await reference.waitFor();
  expect(problems).toEqual([]);
});
