import { mkdtempSync, rmSync } from "node:fs";
import { cpus, release, tmpdir } from "node:os";
import { join } from "node:path";
import nextPackage from "next/package.json";
import { sessionSecret, startApp, startServer } from "@/e2e/support/servers/app-server";
import { buildsFolder } from "@/e2e/support/servers/builds";
import { startRedis } from "@/e2e/support/servers/redis-server";
import { print } from "@/scripts/lib/terminal";
import { measureAsDeployed } from "./as-deployed";
import { buildBlankApp, createBlankApp } from "./blank-app";
import { measureRedis, measureVisits, monthlyCosts } from "./cost";
import { measureFunctions, measureStandalone } from "./output-size";
import { measureFlood } from "./flood";
import { measureSizes } from "./sizes";
import { show } from "./results";
import { floors, measureSpeed } from "./speed";
import { measureMemory } from "./memory";
import { measureStartUp } from "./start-up";

/*
 * npm run bench: what the production build weighs, how fast it answers and starts, and what a visit costs, beside a blank
 * app of the same framework on the same machine in the same run: machines differ and are shared, ratios say more.
 */

const root = join(__dirname, "..");
/** Upstash's price of 100,000 commands, pay as you go, in 2026. */
const dollarsPer100k = Number(process.env.PRICE_PER_100K_COMMANDS ?? 0.2);

async function main(): Promise<void> {
  const blankFolder = mkdtempSync(join(tmpdir(), "blank-app-"));
  const redis = await startRedis();
  try {
    print("Building a blank app of the same framework …");
    createBlankApp(blankFolder, floors());
    await buildBlankApp(blankFolder);
    show("Measured:", [machine()]);
    const env = { SESSION_SECRET: sessionSecret };
    const blank = await startServer({ folder: blankFolder, path: "/", env });
    try {
      const app = await startApp({ redisUrl: redis.url, env: { TRUSTED_IP_HEADER: "x-real-ip" } });
      try {
        show("Bytes of a first visit, compressed:", await measureSizes(app, blank));
      } finally {
        await app.stop();
      }
      show("Requests per second, and milliseconds:", await measureSpeed(blank, redis));
      const deployed = await measureAsDeployed(blank, redis);
      show("Bytes of a first visit behind Caddy:", deployed.sizes);
      show("Requests per second behind Caddy:", deployed.speed);
      show("API responses during 90 page views per second:", await measureFlood(redis));
    } finally {
      await blank.stop();
    }
    const redisPerSecond = await measureRedis(redis);
    show("Redis alone, by redis-benchmark:", [{ name: "GET", perSecond: redisPerSecond }]);
    show("Start, in milliseconds and MiB:", await measureStartUp(blankFolder, redis));
    show("24 whole visits at once, and MiB:", await measureMemory(redis));
    const standalone = measureStandalone(join(root, buildsFolder, "deployed"));
    show("What is deployed, in MiB:", [standalone, ...measureFunctions(root)]);
    const visits = await measureVisits();
    show("What a visit asks of Redis:", visits);
    const costs = monthlyCosts(visits, dollarsPer100k);
    show(`Redis in a month, at $${dollarsPer100k} for 100,000 commands:`, costs);
  } finally {
    await redis.stop();
    rmSync(blankFolder, { recursive: true, force: true });
  }
}

function machine(): object {
  const [cpu, ...others] = cpus();
  return {
    at: new Date().toISOString(),
    node: process.version,
    next: nextPackage.version,
    system: release(),
    cpu: cpu?.model ?? "unknown",
    cores: 1 + others.length,
  };
}

void main();
