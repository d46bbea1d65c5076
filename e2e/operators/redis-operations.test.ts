import { expect, test } from "../support/test";
import { operations, runScenario } from "../faults/scenarios";
import { startApp } from "../support/servers/app-server";
import { startRedis } from "../support/servers/redis-server";

/* `npm run chaos` runs the same scenarios with more visitors. */

test.describe.configure({ mode: "parallel" });

for (const scenario of operations)
  test(`keeps all orders during an operation: ${scenario.name}`, async () => {
    const findings = await runScenario(scenario, 12);
    process.stdout.write(`${scenario.name}: ${JSON.stringify(findings)}\n`);
    expect(findings.broken).toEqual([]);
    expect(findings.doubled).toBe(0);
  });

test("refuses to start with a database number that Redis refuses", async () => {
  const redis = await startRedis();
  const start = startApp({ redisUrl: `${redis.url}/99` });
  await expect(start).rejects.toThrow(
    /cannot start[^]*REDIS_URL: Redis refuses this database number; name one/,
  );
  await redis.stop();
});
