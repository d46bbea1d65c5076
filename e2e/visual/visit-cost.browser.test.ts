import { expect, test, useServers } from "@/testing/test";
import { startUpstashServer } from "@/testing/servers/upstash-server";
import { bouncedVisit, completedVisit } from "@/testing/visit-cost";

/** Maximum for one visit. Hosts bill each command, and visitors wait for each round trip (docs/performance.md). */
const budget = { roundTrips: 6, commands: 28 };

const servers = useServers({}, async (servers) => {
  const upstash = await servers.keep(startUpstashServer(servers.redis.url));
  const env = { UPSTASH_REDIS_REST_URL: upstash.url, UPSTASH_REDIS_REST_TOKEN: upstash.token };
  return { upstash, app: await servers.start({ redisUrl: undefined, env }) };
});

test("Redis gets no command from a visit of the home page, and at most 28 from a visit with an order", async ({
  browser,
}) => {
  // The first visit also loads the scripts into Redis, and creates the budget of the day.
  await completedVisit(servers, browser);
  expect(await bouncedVisit(servers, browser)).toEqual({ roundTrips: 0, commands: {} });
  const { roundTrips, commands } = await completedVisit(servers, browser);
  const total = Object.values(commands).reduce((sum, calls) => sum + calls, 0);
  process.stdout.write(
    `A completed visit: ${roundTrips} round trips, ${total} commands ${JSON.stringify(commands)}\n`,
  );
  expect(roundTrips).toBeLessThanOrEqual(budget.roundTrips);
  expect(total).toBeLessThanOrEqual(budget.commands);
});
