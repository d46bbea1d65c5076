import type { Page } from "@playwright/test";
import { reachReceipt } from "@/testing/browser/flow-pages";
import { sum } from "@/testing/browser/page-weight";
import { postLink } from "@/testing/sample-posts";
import { startUpstashServer } from "@/testing/servers/upstash-server";
import { expect, test, useServers } from "@/testing/test";

/** Maximum for one visit. Hosts bill each command, and visitors wait for each round trip (docs/performance.md). */
const budget = { roundTrips: 6, commands: 28 };

const servers = useServers({}, async (servers) => {
  const upstash = await servers.keep(startUpstashServer(servers.redis.url));
  const env = { UPSTASH_REDIS_REST_URL: upstash.url, UPSTASH_REDIS_REST_TOKEN: upstash.token };
  return { upstash, app: await servers.start({ redisUrl: undefined, env }) };
});

test("Redis gets no command from a visit of the home page, and at most 28 from a visit with an order", async ({
  open,
}) => {
  const path = "/api/instagram/daily-usage";
  let visits = 0;

  /**
   * Counts the requests to Redis, which the application waits for, and the calls of each command, also of commands in
   * scripts. A cache serves the daily usage, as the headers of its response allow.
   */
  async function measure(visit: (page: Page) => Promise<unknown>) {
    const body = await (await fetch(servers.app.url + path)).text();
    // IPv6 addresses belong to more counted networks, so they need the most commands.
    const address = `2001:db8:${(visits += 1)}::1`;
    const { page, context } = await open(undefined, { address, clock: true });
    await page.route(`**${path}`, (route) => route.fulfill({ contentType: "application/json", body }));
    await servers.store.exec(["CONFIG", "RESETSTAT"]);
    const before = servers.upstash.requests;
    await visit(page);
    const roundTrips = servers.upstash.requests - before;
    const stats = await servers.store.exec<string>(["INFO", "commandstats"]);
    const lines = stats.matchAll(/^cmdstat_([^:]+):calls=(\d+)/gm);
    await context.close();
    // The commands of this test.
    const own = ["info", "config|resetstat"];
    const commands = [...lines].map(([, name = "", calls]) => [name, Number(calls)] as const);
    return { roundTrips, commands: Object.fromEntries(commands.filter(([name]) => !own.includes(name))) };
  }

  const bounce = (page: Page) => page.goto(servers.app.url, { waitUntil: "networkidle" });
  const order = async (page: Page) => {
    await reachReceipt(page, servers.app.url, postLink);
    await page.waitForLoadState("networkidle");
  };
  // The first visit also loads the scripts into Redis, and creates the budget of the day.
  await measure(order);
  expect(await measure(bounce)).toEqual({ roundTrips: 0, commands: {} });
  const { roundTrips, commands } = await measure(order);
  expect(roundTrips).toBeLessThanOrEqual(budget.roundTrips);
  expect(sum(Object.values(commands)), JSON.stringify(commands)).toBeLessThanOrEqual(budget.commands);
});
