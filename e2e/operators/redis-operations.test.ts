import { operations, runScenario } from "../faults/scenarios";
import { startApp } from "../support/servers/app-server";
import { startRedis } from "../support/servers/redis-server";

/* The short form of what `npm run chaos` does with more visitors. */

/** Side by side, since most of it is waiting; not all at once, since the seconds until all is well are measured. */
const sideBySide = 3;
const running = new Set<Promise<unknown>>();

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  while (running.size >= sideBySide) await Promise.race(running);
  const turn = work();
  const ended = turn.catch(() => undefined).finally(() => running.delete(ended));
  running.add(ended);
  return turn;
}

it.concurrent.each(operations)("survives what operators do: $name", async (scenario) => {
  const findings = await inTurn(() => runScenario(scenario, 12));
  process.stdout.write(`${scenario.name}: ${JSON.stringify(findings)}\n`);
  expect(findings.broken).toEqual([]);
  expect(findings.doubled).toBe(0);
});

it("does not start with a database that Redis refuses, and says what to do", async () => {
  const redis = await startRedis();
  const start = startApp({ redisUrl: `${redis.url}/99` });
  await expect(start).rejects.toThrow(
    /cannot start[^]*REDIS_URL: Redis refuses this database number; name one/,
  );
  await redis.stop();
});
