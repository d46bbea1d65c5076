import type { Browser, Page } from "playwright-core";
import { Redis } from "ioredis";
import type { AppServer } from "./servers/app-server";
import { continueToGetLikes, newWindow, skipProgress, startFlow } from "./browser/flow-pages";
import type { RedisServer } from "./servers/redis-server";
import type { UpstashServer } from "./servers/upstash-server";

/** What a visit asks of Redis. */
export interface RedisCost {
  /** Requests to Redis, each of which waits for its answer. */
  roundTrips: number;
  /** How often Redis ran each command, those of scripts included: what a host that bills commands counts. */
  commands: Record<string, number>;
}

export interface Shop {
  app: AppServer;
  redis: RedisServer;
  /** Through which the application reaches Redis: its requests are the round trips. */
  upstash: UpstashServer;
  browser: Browser;
}

/** A visitor who opens the home page and leaves. */
export function bouncedVisit(shop: Shop): Promise<RedisCost> {
  return measure(shop, async (page) => {
    await page.goto(shop.app.url, { waitUntil: "networkidle" });
  });
}

/** A visitor who goes from the home page by all steps to the receipt. */
export function completedVisit(shop: Shop): Promise<RedisCost> {
  return measure(shop, async (page) => {
    await page.clock.install();
    await startFlow(page, shop.app.url, "https://www.instagram.com/p/Cxyz123abc_/");
    await continueToGetLikes(page);
    await page.getByRole("button", { name: "Send 50 Free Likes" }).click();
    await skipProgress(page);
    await page.waitForURL(/\/success\/$/);
    await page.waitForLoadState("networkidle");
  });
}

/** Counts during a visit on a network that serves the day's use from its cache, as the answer's headers let it. */
async function measure(
  { app, redis, upstash, browser }: Shop,
  visit: (page: Page) => Promise<void>,
): Promise<RedisCost> {
  const path = "/api/instagram/daily-usage";
  const cached = { contentType: "application/json", body: await (await fetch(app.url + path)).text() };
  const { page, context } = await newWindow(browser, { address: newIPv6Address() });
  await page.route(`**${path}`, (route) => route.fulfill(cached));
  const connection = new Redis(redis.url);
  try {
    const before = { roundTrips: upstash.requests, commands: await commandsSoFar(connection) };
    await visit(page);
    const after = await commandsSoFar(connection);
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

/** IPv6 costs most: more networks count. */
function newIPv6Address(): string {
  lastNetwork += 1;
  return `2001:db8:${lastNetwork.toString(16)}::1`;
}

/** From `INFO commandstats`, without what only this connection uses. */
async function commandsSoFar(connection: Redis): Promise<Record<string, number>> {
  const lines = (await connection.info("commandstats")).matchAll(/^cmdstat_([^:]+):calls=(\d+)/gm);
  const own = new Set(["info", "hello", "client|setinfo", "client|setname", "select", "command"]);
  return Object.fromEntries(
    [...lines]
      .map(([, name = "", calls]) => [name, Number(calls)] as const)
      .filter(([name]) => !own.has(name)),
  );
}
