import { startApp, type AppServer } from "./support/app-server";
import { until } from "./support/until";
import { launchBrowser } from "./support/browser";
import { newWindow, startFlow } from "./support/flow-pages";
import { inTime } from "./support/in-time";
import { startRedis, type RedisServer } from "./support/redis-server";
import { startUpstashServer, type UpstashServer } from "./support/upstash-server";
import { newAddress, Visitor, type ApiAnswer } from "./support/visitor";

/* The product over Upstash's REST API instead of TCP: the same flow, and the same promises when it fails. */

let redis: RedisServer;
let upstash: UpstashServer;
let app: AppServer;

beforeAll(async () => {
  redis = await startRedis();
  upstash = await startUpstashServer(redis.url);
  app = await startApp({
    env: {
      UPSTASH_REDIS_REST_URL: upstash.url,
      UPSTASH_REDIS_REST_TOKEN: upstash.token,
      TRUSTED_IP_HEADER: "x-real-ip",
      BURST_LIMIT_SCALE: "1000",
    },
  });
});
afterAll(async () => {
  await app.stop();
  await upstash.stop();
  await redis.stop();
});

const newVisitor = () => new Visitor(app.url, { address: newAddress(), fingerprint: "fingerprint" });

async function likesUsed(): Promise<number> {
  const { body } = await newVisitor().get("/api/instagram/daily-usage");
  return (body.dailyLimit as { likesUsed: number }).likesUsed;
}

it("goes through the whole flow: captcha, details, status, like, cooldown", async () => {
  const before = await likesUsed();
  const visitor = newVisitor();
  const url = "https://www.instagram.com/p/Cxyz123abc_/";
  const token = await visitor.solveCaptcha();
  expect((await visitor.post("/api/recaptcha/verify", { token, url })).status).toBe(200);
  // The token is used up.
  expect(await newVisitor().post("/api/recaptcha/verify", { token, url })).toMatchObject({
    body: { success: false, code: "captcha_rejected" },
  });
  const details = await visitor.get(`/api/instagram/post-details?url=${encodeURIComponent(url)}`);
  expect(details.body).toMatchObject({ success: true });
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
  expect(await likesUsed()).toBe(before + 50);
});

it("orders once although an answer is lost on the way", async () => {
  const before = await likesUsed();
  const visitor = newVisitor();
  await visitor.startFlow();
  const requests = upstash.requests;
  upstash.failNext("lose-answer");
  expect((await visitor.like()).status).toBe(200);
  // Reserve twice, settle once, and whatever a process asks at its first order.
  expect(upstash.requests).toBeGreaterThanOrEqual(requests + 3);
  expect(await likesUsed()).toBe(before + 50);
});

/** Measures an answer; the promise is 503 with Retry-After within 2 s. */
async function expectUnavailable(name: string, ask: () => Promise<ApiAnswer>): Promise<void> {
  const startedAt = performance.now();
  const { status, body, headers } = await ask();
  const seconds = (performance.now() - startedAt) / 1_000;
  expect({ name, status, code: body.code, inTime: inTime(seconds) }).toEqual({
    name,
    status: 503,
    code: "service_unavailable",
    inTime: true,
  });
  expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
}

const outages = [
  { name: "Redis behind it is frozen", fail: () => redis.freeze(), heal: () => redis.thaw() },
  { name: "Redis behind it is down", fail: () => redis.kill(), heal: () => redis.restart() },
  { name: "it never answers", fail: () => upstash.failAll("hang"), heal: () => upstash.failAll(null) },
  {
    name: "it breaks every connection",
    fail: () => upstash.failAll("break"),
    heal: () => upstash.failAll(null),
  },
];

it.each(outages)("fails closed, and works again without a restart: $name", async ({ fail, heal }) => {
  const visitor = newVisitor();
  await visitor.startFlow();
  const token = await visitor.solveCaptcha();
  await fail();
  try {
    const link = encodeURIComponent("https://www.instagram.com/p/Cxyz123abc_/");
    await Promise.all([
      expectUnavailable("like", () => visitor.like()),
      expectUnavailable("verify", () => visitor.post("/api/recaptcha/verify", { token })),
      expectUnavailable("post-details", () => visitor.get(`/api/instagram/post-details?url=${link}`)),
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
  expect(app.output()).not.toContain(upstash.token);
});

it("serves a browser from the pasted link to the receipt", async () => {
  const browser = await launchBrowser();
  try {
    const { page, problems } = await newWindow(browser);
    await startFlow(page, app.url, "https://www.instagram.com/p/Cxyz123abc_/");
    await page.getByRole("link", { name: "Preview this post" }).click();
    await page.getByRole("button", { name: "Get 50 Free Likes" }).click();
    const reference = page.getByText(/[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}/).first();
    await reference.waitFor();
    expect(problems).toEqual([]);
  } finally {
    await browser.close();
  }
});
