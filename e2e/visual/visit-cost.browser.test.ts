import type { Browser, Page } from "@playwright/test";
import { Redis } from "ioredis";
import { reachReceipt } from "@/testing/browser/flow-pages";
import { openPage } from "@/testing/browser/open-page";
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
  browser,
}) => {
  const bounce = (page: Page) => page.goto(servers.app.url, { waitUntil: "networkidle" });
  const order = async (page: Page) => {
    await reachReceipt(page, servers.app.url, postLink);
    await page.waitForLoadState("networkidle");
  };
  // The first visit also loads the scripts into Redis, and creates the budget of the day.
  await measure(browser, order);
  expect(await measure(browser, bounce)).toEqual({ roundTrips: 0, commands: {} });
  const { roundTrips, commands } = await measure(browser, order);
  const total = Object.values(commands).reduce((sum, calls) => sum + calls, 0);
  expect(roundTrips).toBeLessThanOrEqual(budget.roundTrips);
  expect(total, JSON.stringify(commands)).toBeLessThanOrEqual(budget.commands);
});

let visits = 0;

/**
 * Counts the requests to Redis, which the application waits for, and the calls of each command, also of commands in
 * scripts. A cache serves the daily usage, as the headers of its response allow.
 */
async function measure(browser: Browser, visit: (page: Page) => Promise<unknown>) {
  const path = "/api/instagram/daily-usage";
  const body = await (await fetch(servers.app.url + path)).text();
  // IPv6 addresses belong to more counted networks, so they need the most commands.
  const address = `2001:db8:${(visits += 1)}::1`;
  const { page, context } = await openPage(browser, undefined, { address, clock: true });
  await page.route(`**${path}`, (route) => route.fulfill({ contentType: "application/json", body }));
  const connection = new Redis(servers.redis.url);
  try {
    const before = { roundTrips: servers.upstash.requests, commands: await countCommands(connection) };
    await visit(page);
    const after = await countCommands(connection);
    const commands = Object.entries(after)
      .map(([name, calls]) => [name, calls - (before.commands[name] ?? 0)] as const)
      .filter(([, calls]) => calls > 0);
    const roundTrips = servers.upstash.requests - before.roundTrips;
    return { roundTrips, commands: Object.fromEntries(commands) };
  } finally {
    connection.disconnect();
    await context.close();
  }
}

/** Reads `INFO commandstats`, without the commands of this connection. */
async function countCommands(connection: Redis): Promise<Record<string, number>> {
  const lines = (await connection.info("commandstats")).matchAll(/^cmdstat_([^:]+):calls=(\d+)/gm);
  const own = new Set(["info", "hello", "client|setinfo", "client|setname", "select", "command"]);
  return Object.fromEntries(
    [...lines]
      .map(([, name = "", calls]) => [name, Number(calls)] as const)
      .filter(([name]) => !own.has(name)),
  );
}
