import { expect, test, useServers } from "../support/test";
import { startUpstashServer } from "../support/servers/upstash-server";
import { bouncedVisit, completedVisit } from "../support/visit-cost";

/*
 * What a visit may ask of Redis at most: hosts bill each command, and each round trip makes visitors wait. Where the
 * commands go stands in docs/performance.md.
 */
const budget = { roundTrips: 6, commands: 28 };

const servers = useServers({}, async (servers) => {
  const upstash = await servers.keep(startUpstashServer(servers.redis.url));
  const env = { UPSTASH_REDIS_REST_URL: upstash.url, UPSTASH_REDIS_REST_TOKEN: upstash.token };
  return { upstash, app: await servers.start({ redisUrl: undefined, env }) };
});

test("a visit that ends on the home page costs nothing, and one to the receipt stays within its budget", async ({
  browser,
}) => {
  // The first of a server teaches Redis its scripts, and the first of a day gives the budget its life.
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
