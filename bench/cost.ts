import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { launchBrowser } from "@/e2e/support/browser/browser";
import { sum } from "@/e2e/support/browser/page-weight";
import type { TestServers } from "@/e2e/support/servers/test-servers";
import { startUpstashServer } from "@/e2e/support/servers/upstash-server";
import { bouncedVisit, completedVisit, type RedisCost } from "@/e2e/support/visit-cost";
import { requireProgram } from "@/scripts/lib/programs.mjs";

/** Counts Redis commands of both kinds of visits in a browser. The app reaches Redis by its REST interface. */
export async function measureVisits(servers: TestServers, database: number) {
  const upstash = await servers.keep(startUpstashServer(`${servers.redis.url}/${database}`));
  const env = {
    REDIS_URL: undefined,
    UPSTASH_REDIS_REST_URL: upstash.url,
    UPSTASH_REDIS_REST_TOKEN: upstash.token,
  };
  const app = await servers.start({ env });
  const browser = await launchBrowser();
  try {
    const parts = { redis: servers.redis, upstash, app };
    // The first visit loads the scripts into Redis.
    await completedVisit(parts, browser);
    const completed = costRow("completed", await completedVisit(parts, browser));
    return { completed, bounced: costRow("bounced", await bouncedVisit(parts, browser)) };
  } finally {
    await browser.close();
  }
}

function costRow(name: string, { roundTrips, commands }: RedisCost) {
  return Object.assign({ name, roundTrips, commands: sum(Object.values(commands)) }, commands);
}

/** Returns the price of the Redis commands per month if every visit is completed. */
export function monthlyCosts(commandsPerVisit: number, dollarsPer100k: number): object[] {
  return [10_000, 100_000, 1_000_000].map((visits) => {
    const commands = visits * commandsPerVisit;
    return { visits, commands, dollars: (commands / 100_000) * dollarsPer100k };
  });
}

/** Measures requests per second of Redis alone, the upper limit for the app. */
export async function measureRedis({ redis }: TestServers): Promise<object> {
  const args = ["-p", String(redis.port), "-t", "get", "-n", "50000", "-c", "16", "--csv"];
  const { stdout } = await promisify(execFile)(requireProgram("redis-benchmark"), args);
  const [, perSecond] = /"GET","([\d.]+)"/.exec(stdout) ?? [];
  return { name: "GET", perSecond: Number(perSecond) };
}
