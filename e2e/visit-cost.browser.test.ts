import type { Browser } from "playwright-core";
import { startApp, type AppServer } from "./support/app-server";
import { launchBrowser } from "./support/browser";
import { startRedis, type RedisServer } from "./support/redis-server";
import { startUpstashServer, type UpstashServer } from "./support/upstash-server";
import { bouncedVisit, completedVisit } from "./support/visit-cost";

/*
 * What a visit may ask of Redis at most: hosts bill each command, and each round trip makes visitors wait. Where the
 * commands go stands in docs/performance.md.
 */
const budget = { roundTrips: 5, commands: 24 };

let redis: RedisServer;
let upstash: UpstashServer;
let app: AppServer;
let browser: Browser;

beforeAll(async () => {
  redis = await startRedis();
  upstash = await startUpstashServer(redis.url);
  [app, browser] = await Promise.all([
    startApp({
      env: {
        UPSTASH_REDIS_REST_URL: upstash.url,
        UPSTASH_REDIS_REST_TOKEN: upstash.token,
        TRUSTED_IP_HEADER: "x-real-ip",
      },
    }),
    launchBrowser(),
  ]);
});
afterAll(async () => {
  await browser?.close();
  await app?.stop();
  await upstash?.stop();
  await redis?.stop();
});

it("a visit that ends on the home page costs nothing, and one to the receipt stays within its budget", async () => {
  const shop = { app, redis, upstash, browser };
  // The first of a server teaches Redis its scripts, and the first of a day gives the budget its life.
  await completedVisit(shop);
  expect(await bouncedVisit(shop)).toEqual({ roundTrips: 0, commands: {} });
  const { roundTrips, commands } = await completedVisit(shop);
  const total = Object.values(commands).reduce((sum, calls) => sum + calls, 0);
  process.stdout.write(
    `A completed visit: ${roundTrips} round trips, ${total} commands ${JSON.stringify(commands)}\n`,
  );
  expect(roundTrips).toBeLessThanOrEqual(budget.roundTrips);
  expect(total).toBeLessThanOrEqual(budget.commands);
});
