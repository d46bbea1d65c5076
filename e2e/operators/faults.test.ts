import { expect, test } from "@/testing/test";
import { runScenario, scenarios } from "../faults/scenarios";
import { startApp } from "@/testing/servers/app-server";
import { startRedis } from "@/testing/servers/redis-server";

/* `npm run chaos` runs the same scenarios with more visitors. */

test.describe.configure({ mode: "parallel" });

for (const scenario of scenarios)
  test(`loses, repeats and leaks no order: ${scenario.name}`, async () => {
    const findings = await runScenario(scenario, 30);
    process.stdout.write(`${scenario.name}: ${JSON.stringify(findings)}\n`);
    expect(findings.broken).toEqual([]);
    expect(findings.faults).toBeGreaterThan(0);
  });

test("refuses to start with a database number that Redis refuses", async () => {
  const redis = await startRedis();
  const start = startApp({ redisUrl: `${redis.url}/99` });
  await expect(start).rejects.toThrow(
    /cannot start[^]*REDIS_URL: Redis refuses this database number; name one/,
  );
  await redis.stop();
});
