import type { Browser, Page } from "@playwright/test";
import { Redis } from "ioredis";
import type { AppServer } from "./servers/app-server";
import { continueToGetLikes, skipProgress, startFlow } from "./browser/flow-pages";
import { openPage } from "./browser/open-page";
import { postLink } from "./sample-posts";
import type { RedisServer } from "./servers/redis-server";
import type { UpstashServer } from "./servers/upstash-server";

/** Redis commands of a visit. */
export interface RedisCost {
  /** Requests to Redis. The application waits for each response. */
  roundTrips: number;
  /** Number of calls of each command, also of commands in scripts. Hosts that bill commands count the same. */
  commands: Record<string, number>;
}

export interface VisitServers {
  app: AppServer;
  redis: RedisServer;
  /** The application reaches Redis through this server. Each of its requests is a round trip. */
  upstash: UpstashServer;
}

/** A visitor opens only the home page. */
export function bouncedVisit(servers: VisitServers, browser: Browser): Promise<RedisCost> {
  return measure(servers, browser, async (page) => {
    await page.goto(servers.app.url, { waitUntil: "networkidle" });
  });
}

/** A visitor takes all steps from the home page to the receipt. */
export function completedVisit(servers: VisitServers, browser: Browser): Promise<RedisCost> {
  return measure(servers, browser, async (page) => {
    await page.clock.install();
    await startFlow(page, servers.app.url, postLink);
    await continueToGetLikes(page);
    await page.getByRole("button", { name: "Send 50 Free Likes" }).click();
    await skipProgress(page);
    await page.waitForURL(/\/success\/$/);
    await page.waitForLoadState("networkidle");
  });
}

/** Counts the commands of a visit. A cache serves the daily usage, as the headers of its response allow. */
async function measure(
  { app, redis, upstash }: VisitServers,
  browser: Browser,
  visit: (page: Page) => Promise<void>,
): Promise<RedisCost> {
  const path = "/api/instagram/daily-usage";
  const cached = { contentType: "application/json", body: await (await fetch(app.url + path)).text() };
  const { page, context } = await openPage(browser, undefined, { address: newIPv6Address() });
  await page.route(`**${path}`, (route) => route.fulfill(cached));
  const connection = new Redis(redis.url);
  try {
    const before = { roundTrips: upstash.requests, commands: await countCommands(connection) };
    await visit(page);
    const after = await countCommands(connection);
    const commands = Object.entries(after)
      .map(([name, calls]) => [name, calls - (before.commands[name] ?? 0)] as const)
      .filter(([, calls]) => calls > 0);
    return { roundTrips: upstash.requests - before.roundTrips, commands: Object.fromEntries(commands) };
  } finally {
    connection.disconnect();
    await context.close();
  }
}

let lastNetwork = 0;

/** IPv6 addresses belong to more counted networks, so they need the most commands. */
function newIPv6Address(): string {
  lastNetwork += 1;
  return `2001:db8:${lastNetwork.toString(16)}::1`;
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
