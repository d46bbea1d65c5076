import { useRig } from "../support/rig";
import { startUpstashServer } from "../support/servers/upstash-server";
import { bouncedVisit, completedVisit } from "../support/visit-cost";

/*
 * What a visit may ask of Redis at most: hosts bill each command, and each round trip makes visitors wait. Where the
 * commands go stands in docs/performance.md.
 */
const budget = { roundTrips: 6, commands: 28 };

const rig = useRig({ browser: true }, async (rig) => {
  const upstash = await rig.keep(startUpstashServer(rig.redis.url));
  const env = { UPSTASH_REDIS_REST_URL: upstash.url, UPSTASH_REDIS_REST_TOKEN: upstash.token };
  return { upstash, app: await rig.start({ redisUrl: undefined, env }) };
});

it("a visit that ends on the home page costs nothing, and one to the receipt stays within its budget", async () => {
  // The first of a server teaches Redis its scripts, and the first of a day gives the budget its life.
  await completedVisit(rig);
  expect(await bouncedVisit(rig)).toEqual({ roundTrips: 0, commands: {} });
  const { roundTrips, commands } = await completedVisit(rig);
  const total = Object.values(commands).reduce((sum, calls) => sum + calls, 0);
  process.stdout.write(
    `A completed visit: ${roundTrips} round trips, ${total} commands ${JSON.stringify(commands)}\n`,
  );
  expect(roundTrips).toBeLessThanOrEqual(budget.roundTrips);
  expect(total).toBeLessThanOrEqual(budget.commands);
});
