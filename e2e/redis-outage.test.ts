import { startApp, type AppServer } from "./support/app-server";
import { inTime } from "./support/in-time";
import { startRedis, type RedisServer } from "./support/redis-server";
import { newAddress, Visitor, type ApiAnswer } from "./support/visitor";

let redis: RedisServer;
let app: AppServer;

beforeAll(async () => {
  redis = await startRedis({ appendOnly: true });
  app = await startApp({
    redisUrl: redis.url,
    env: { TRUSTED_IP_HEADER: "x-real-ip", BURST_LIMIT_SCALE: "1000" },
  });
});
afterAll(async () => {
  await app.stop();
  await redis.stop();
});

const failures = [
  { name: "stopped", fail: () => redis.kill(), recover: () => redis.restart() },
  {
    name: "frozen",
    fail: () => Promise.resolve(redis.freeze()),
    recover: () => Promise.resolve(redis.thaw()),
  },
];

/** Measures an answer; the promise is 503 with Retry-After within 2 s. */
async function expectUnavailable(name: string, ask: () => Promise<ApiAnswer>): Promise<void> {
  const startedAt = performance.now();
  const { status, body, headers } = await ask();
  const seconds = (performance.now() - startedAt) / 1_000;
  expect({
    name,
    status,
    code: body.code,
    waits: Number(headers.get("retry-after")) > 0,
    inTime: inTime(seconds),
  }).toEqual({ name, status: 503, code: "service_unavailable", waits: true, inTime: true });
}

describe.each(failures)("with Redis $name", ({ fail, recover }) => {
  it("fails closed, keeps its pages, charges nothing, and works again without a restart", async () => {
    const visitor = new Visitor(app.url, { address: newAddress(), fingerprint: "fp" });
    await visitor.startFlow();
    const token = await visitor.solveCaptcha();
    const usedBefore = (await visitor.get("/api/instagram/daily-usage")).body.dailyLimit;
    await fail();
    try {
      const link = encodeURIComponent("https://www.instagram.com/p/Cxyz123abc_/");
      await expectUnavailable("like", () => visitor.like());
      await expectUnavailable("verify", () => visitor.post("/api/recaptcha/verify", { token }));
      await expectUnavailable("post-details", () => visitor.get(`/api/instagram/post-details?url=${link}`));
      await expectUnavailable("status", () => visitor.get("/api/instagram/status"));
      await expectUnavailable("daily-usage", () => visitor.get("/api/instagram/daily-usage"));
      await expectUnavailable("404", () => visitor.post("/api/404", { path: "/nowhere" }));

      for (const path of ["/api/recaptcha/sitekey", "/api/recaptcha/challenge", "/api/health"]) {
        expect({ path, status: (await visitor.get(path)).status }).toEqual({ path, status: 200 });
      }
      for (const path of ["/verification/", "/get-likes/", "/private-account-error/", "/success/"]) {
        expect({ path, status: (await visitor.fetch(path)).status }).toEqual({ path, status: 200 });
      }
      expect((await new Visitor(app.url).fetch("/")).status).toBe(200);
    } finally {
      await recover();
    }
    await until(async () => (await visitor.get("/api/instagram/status")).status === 200);
    expect((await visitor.get("/api/instagram/status")).body).toMatchObject({
      canRequest: true,
      pending: false,
    });
    const usedAfter = (await visitor.get("/api/instagram/daily-usage")).body.dailyLimit as {
      likesUsed: number;
    };
    expect(usedAfter.likesUsed).toBe((usedBefore as { likesUsed: number }).likesUsed);
    expect((await visitor.like()).status).toBe(200);
  });
});

it("starts without Redis and serves as soon as it is there", async () => {
  await redis.kill();
  const early = await startApp({ redisUrl: redis.url });
  try {
    const visitor = new Visitor(early.url);
    await expectUnavailable("status", () => visitor.get("/api/instagram/status"));
    await redis.restart();
    await until(async () => (await visitor.get("/api/instagram/status")).status === 200);
  } finally {
    await early.stop();
  }
});

async function until(condition: () => Promise<boolean>, timeoutMs = 10_000): Promise<void> {
  const end = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error("it did not happen in time");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
