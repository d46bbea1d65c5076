import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, release, tmpdir } from "node:os";
import { join } from "node:path";
import { sessionSecret, startApp, startServer } from "@/e2e/support/app-server";
import { buildsFolder } from "@/e2e/support/builds";
import { startRedis } from "@/e2e/support/redis-server";
import { buildBlankApp, createBlankApp } from "./blank-app";
import { measureRedis, measureVisits, monthlyCosts } from "./cost";
import { measureFunctions, measureStandalone } from "./output-size";
import { measureSizes } from "./sizes";
import { floors, measureSpeed } from "./speed";
import { measureStartUp } from "./start-up";

/*
 * npm run bench: what the production build weighs, how fast it answers and starts, and what a visit costs, beside a blank
 * app of the same framework on the same machine in the same run: machines differ and are shared, ratios say more. The
 * figures are kept under bench/results/.
 */

const root = join(__dirname, "..");
/** Upstash's price of 100,000 commands, pay as you go, in 2026. */
const dollarsPer100k = Number(process.env.PRICE_PER_100K_COMMANDS ?? 0.2);

async function main(): Promise<void> {
  const blankFolder = mkdtempSync(join(tmpdir(), "blank-app-"));
  const redis = await startRedis();
  try {
    say("Building a blank app of the same framework …");
    createBlankApp(blankFolder, floors());
    await buildBlankApp(blankFolder);
    const blank = await startServer({
      folder: blankFolder,
      path: "/",
      env: { SESSION_SECRET: sessionSecret },
    });
    const results: Record<string, unknown> = {
      at: new Date().toISOString(),
      machine: machine(),
      dollarsPer100k,
    };
    const show = (name: string, title: string, rows: object[]) => {
      say(`\n${title}`);
      console.table(rows.map(rounded));
      results[name] = rows;
    };
    try {
      const app = await startApp({ redisUrl: redis.url, env: { TRUSTED_IP_HEADER: "x-real-ip" } });
      try {
        show("sizes", "Bytes of a first visit, compressed:", await measureSizes(app, blank));
      } finally {
        await app.stop();
      }
      show("speed", "Requests per second, and milliseconds:", await measureSpeed(blank, redis));
    } finally {
      await blank.stop();
    }
    const redisPerSecond = await measureRedis(redis);
    show("redis", "Redis alone, by redis-benchmark:", [{ name: "GET", perSecond: redisPerSecond }]);
    show("startUp", "Start, in milliseconds and MiB:", await measureStartUp(blankFolder, redis));
    show("output", "What is deployed, in MiB:", [
      measureStandalone(join(root, buildsFolder, "plain")),
      ...measureFunctions(root),
    ]);
    const visits = await measureVisits();
    show(
      "visits",
      "What a visit asks of Redis:",
      Object.entries(visits).map(([name, { roundTrips, commands }]) => ({ name, roundTrips, ...commands })),
    );
    show(
      "costs",
      `Redis in a month, at $${dollarsPer100k} for 100,000 commands:`,
      monthlyCosts(visits, dollarsPer100k),
    );
    keep(results);
  } finally {
    await redis.stop();
    rmSync(blankFolder, { recursive: true, force: true });
  }
}

function machine(): Record<string, unknown> {
  const next = JSON.parse(readFileSync(join(root, "node_modules/next/package.json"), "utf8")) as {
    version: string;
  };
  return {
    node: process.version,
    next: next.version,
    system: release(),
    cpu: cpus()[0]?.model ?? "unknown",
    cores: cpus().length,
  };
}

function keep(results: object): void {
  const folder = join(root, "bench", "results");
  if (!existsSync(folder)) mkdirSync(folder, { recursive: true });
  const file = join(folder, "latest.json");
  writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`);
  say(`\nKept in bench/results/latest.json.`);
}

/** Numbers short enough to read. */
function rounded(row: object): object {
  const short = (value: unknown) =>
    typeof value === "number" ? Number(value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)) : value;
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, short(value)]));
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

void main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
