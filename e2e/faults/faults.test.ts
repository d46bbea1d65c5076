import { expect, test } from "@/testing/test";
import { startApp } from "@/testing/servers/app-server";
import { startRedis } from "@/testing/servers/redis-server";
import { Fixture } from "./fixture";
import { redisFaults } from "./redis-faults";
import { serverFaults } from "./server-faults";

/* docs/faults.md. `npm run chaos` runs these scenarios with a budget for more orders. */

const places = Number(process.env.CHAOS || 30);

test.describe.configure({ mode: "parallel", timeout: places > 30 ? 600_000 : 120_000 });

for (const [name, run] of Object.entries({ ...serverFaults, ...redisFaults }))
  test(`loses, repeats and leaks no order: ${name}`, { tag: "@slow" }, async () => {
    const fixture = await Fixture.open(places);
    try {
      await run(fixture);
      expect(fixture.faults).toBeGreaterThan(0);
    } finally {
      await fixture.stop();
    }
  });

test("refuses to start with a database number that Redis refuses", async () => {
  const redis = await startRedis();
  const start = startApp({ redisUrl: `${redis.url}/99` });
  await expect(start).rejects.toThrow(
    /cannot start[^]*REDIS_URL: Redis refuses this database number; name one/,
  );
  await redis.stop();
});
