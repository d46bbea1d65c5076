import { goodInput } from "@/testing/good-input";
import { expectUnavailable } from "@/testing/in-time";
import { startUpstashServer } from "@/testing/servers/upstash-server";
import { expect, test, useServers } from "@/testing/test";
import { until } from "@/testing/until";
import { healthToken, likesUsed, Visitor } from "@/testing/visitor";

/* The site without Redis: over TCP, and over the REST API of Upstash. */

const servers = useServers({ redisSettings: ["--appendonly", "yes"] }, async (servers) => {
  const upstash = await servers.keep(startUpstashServer(servers.redis.url));
  const env = { HEALTH_TOKEN: healthToken };
  const restEnv = { ...env, UPSTASH_REDIS_REST_URL: upstash.url, UPSTASH_REDIS_REST_TOKEN: upstash.token };
  const [app, rest] = await Promise.all([
    servers.start({ env }),
    servers.start({ redisUrl: undefined, env: restEnv }),
  ]);
  return { upstash, app, rest };
});

type Step = () => Promise<void> | void;
const outages: [name: string, transport: "app" | "rest", fail: Step, recover: Step][] = [
  ["Redis is stopped", "app", () => servers.redis.kill(), () => servers.redis.restart()],
  ["Redis is frozen", "app", () => servers.redis.freeze(), () => servers.redis.thaw()],
  [
    "the REST API does not respond",
    "rest",
    () => servers.upstash.failAll("hang"),
    () => servers.upstash.failAll(null),
  ],
];

for (const [name, transport, fail, recover] of outages)
  test(`responds 503, keeps its pages, and then charges one order: ${name}`, async () => {
    const app = servers[transport];
    const visitor = new Visitor(app.url);
    await visitor.startFlow();
    const token = await visitor.solveCaptcha();
    const usedBefore = await likesUsed(app.url);
    await fail();
    try {
      await expectUnavailable("like", () => visitor.like());
      await expectUnavailable("verify", () => visitor.post("/api/recaptcha/verify", { token }));
      await expectUnavailable("post-details", () => visitor.details());
      await expectUnavailable("status", () => visitor.get("/api/instagram/status"));
      await expectUnavailable("daily-usage", () => visitor.get("/api/instagram/daily-usage"));
      const message = { ...goodInput.contact, token };
      await expectUnavailable("contact", () => visitor.post("/api/contact/submit", message));
      await expectUnavailable("health", () => visitor.health());
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
    await until("the site responds", async () => (await visitor.get("/api/instagram/status")).status === 200);
    const { body } = await visitor.get("/api/instagram/status");
    expect(body).toMatchObject({ canRequest: true });
    // The REST API can have created an order without a response. Its lease has to end first.
    await until("the visitor gets an order", async () => (await visitor.like()).status === 200);
    expect(await likesUsed(app.url)).toBe(usedBefore + 50);
    expect(app.output()).not.toContain(servers.upstash.token);
  });

test("starts without Redis, and serves visitors and finishes orders when Redis starts", async () => {
  await servers.redis.kill();
  const early = await servers.start({ env: { RECONCILE_EVERY_SECONDS: "1" } });
  const visitor = new Visitor(early.url);
  await expectUnavailable("status", () => visitor.get("/api/instagram/status"));
  await until("the upkeep fails", () => early.output().includes("upkeep failed"));
  await servers.redis.restart();
  await until("the site responds", async () => (await visitor.get("/api/instagram/status")).status === 200);
  const stats = "return redis.call('INFO', 'commandstats')";
  const rewrites = async () => (await servers.store.eval<[], string>(stats, [], [])).includes("bgrewriteaof");
  await until("the upkeep reaches its last step", rewrites);
});
