import { expect, test, useServers } from "../support/test";
import { until } from "../support/until";
import { expectUnavailable } from "../support/in-time";
import { likesUsed, Visitor } from "../support/visitor";

const servers = useServers({ appendOnly: true });

const failures = [
  { name: "stopped", fail: () => servers.redis.kill(), recover: () => servers.redis.restart() },
  {
    name: "frozen",
    fail: () => Promise.resolve(servers.redis.freeze()),
    recover: () => Promise.resolve(servers.redis.thaw()),
  },
];

for (const { name, fail, recover } of failures)
  test.describe(`with Redis ${name}`, () => {
    test("fails closed, keeps its pages, charges nothing, and works again without a restart", async () => {
      const visitor = new Visitor(servers.app.url);
      await visitor.startFlow();
      const token = await visitor.solveCaptcha();
      const usedBefore = await likesUsed(servers.app.url);
      await fail();
      try {
        await expectUnavailable("like", () => visitor.like());
        await expectUnavailable("verify", () => visitor.post("/api/recaptcha/verify", { token }));
        await expectUnavailable("post-details", () => visitor.details());
        await expectUnavailable("status", () => visitor.get("/api/instagram/status"));
        await expectUnavailable("daily-usage", () => visitor.get("/api/instagram/daily-usage"));
        await expectUnavailable("404", () => visitor.post("/api/404", { path: "/nowhere" }));

        for (const path of ["/api/recaptcha/sitekey", "/api/recaptcha/challenge", "/api/health"]) {
          expect({ path, status: (await visitor.get(path)).status }).toEqual({ path, status: 200 });
        }
        for (const path of ["/verification/", "/get-likes/", "/private-account-error/", "/success/"]) {
          expect({ path, status: (await visitor.fetch(path)).status }).toEqual({ path, status: 200 });
        }
        expect((await new Visitor(servers.app.url).fetch("/")).status).toBe(200);
      } finally {
        await recover();
      }
      await until("it answers", async () => (await visitor.get("/api/instagram/status")).status === 200);
      expect((await visitor.get("/api/instagram/status")).body).toMatchObject({
        canRequest: true,
        pending: false,
      });
      expect(await likesUsed(servers.app.url)).toBe(usedBefore);
      expect((await visitor.like()).status).toBe(200);
    });
  });

test("starts without Redis and serves as soon as it is there", async () => {
  await servers.redis.kill();
  const early = await servers.start();
  const visitor = new Visitor(early.url);
  await expectUnavailable("status", () => visitor.get("/api/instagram/status"));
  await servers.redis.restart();
  await until("it answers", async () => (await visitor.get("/api/instagram/status")).status === 200);
});
