import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { startApp } from "@/e2e/support/servers/app-server";
import { launchBrowser } from "@/e2e/support/browser/browser";
import { sum } from "@/e2e/support/browser/page-weight";
import { startRedis, type RedisServer } from "@/e2e/support/servers/redis-server";
import { startUpstashServer } from "@/e2e/support/servers/upstash-server";
import { bouncedVisit, completedVisit, type RedisCost } from "@/e2e/support/visit-cost";

export interface VisitCost extends Record<string, string | number> {
  name: "completed" | "bounced";
  roundTrips: number;
  /** All of them; how often each ran stands beside it, under its name. */
  commands: number;
}

/** Walks both kinds of visit in a real browser, over REST. */
export async function measureVisits(): Promise<VisitCost[]> {
  const redis = await startRedis();
  const upstash = await startUpstashServer(redis.url);
  const env = {
    UPSTASH_REDIS_REST_URL: upstash.url,
    UPSTASH_REDIS_REST_TOKEN: upstash.token,
    TRUSTED_IP_HEADER: "x-real-ip",
  };
  const app = await startApp({ env });
  const browser = await launchBrowser();
  try {
    const shop = { redis, upstash, app, browser };
    // The first visit brings Redis its scripts.
    await completedVisit(shop);
    return [
      visitCost("completed", await completedVisit(shop)),
      visitCost("bounced", await bouncedVisit(shop)),
    ];
  } finally {
    await browser.close();
    await app.stop();
    await upstash.stop();
    await redis.stop();
  }
}

function visitCost(name: VisitCost["name"], { roundTrips, commands }: RedisCost): VisitCost {
  return { name, roundTrips, commands: sum(Object.values(commands)), ...commands };
}

export interface MonthlyCost {
  visits: number;
  commands: number;
  dollars: number;
}

/**
 * What Redis costs in a month when every visit is completed, which no site's visits are.
 *
 * @param dollarsPer100k price of 100,000 commands
 */
export function monthlyCosts(costs: VisitCost[], dollarsPer100k: number): MonthlyCost[] {
  const perVisit = costs.find(({ name }) => name === "completed")?.commands ?? NaN;
  return [10_000, 100_000, 1_000_000].map((visits) => {
    const commands = visits * perVisit;
    return { visits, commands, dollars: (commands / 100_000) * dollarsPer100k };
  });
}

/** Requests per second of Redis alone, by its own benchmark: nothing that asks it can be faster. */
export async function measureRedis(redis: RedisServer): Promise<number> {
  const args = ["-p", String(redis.port), "-t", "get", "-n", "50000", "-c", "16", "--csv"];
  const { stdout } = await promisify(execFile)("redis-benchmark", args);
  const [, perSecond = "NaN"] = /"GET","([\d.]+)"/.exec(stdout) ?? [];
  return Number(perSecond);
}
