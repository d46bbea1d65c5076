import { mkdtempSync, rmSync } from "node:fs";
import { cpus, release, tmpdir } from "node:os";
import { join } from "node:path";
import nextPackage from "next/package.json";
import { freePort } from "@/e2e/support/ports";
import { sessionSecret, startServer } from "@/e2e/support/servers/app-server";
import { TestServers } from "@/e2e/support/servers/test-servers";
import { startCaddyWith } from "@/e2e/support/servers/web-server";
import { print } from "@/cli/terminal";
import { buildBlankApp } from "./blank-app";
import { measureRedis, measureVisits, monthlyCosts } from "./cost";
import { deployedBuild, measureDeployedSpeed, startDeployedSite } from "./deployed-site";
import { measureFlood } from "./flood";
import { measureInteractions } from "./interactions";
import { show } from "./results";
import { measureMemory, measureStartUp } from "./server-process";
import { measureFunctions, measurePages, measureStandalone } from "./sizes";
import { measureSpeed } from "./speed";

/*
 * npm run bench: measures size, speed, start-up and cost of the production build beside a blank Next.js app. Machines
 * differ and are shared, so compare the ratios. Each measurement has its own Redis database, and thus its own budget.
 */

/** Upstash's pay-as-you-go price of 100,000 commands in 2026. */
const dollarsPer100k = Number(process.env.PRICE_PER_100K_COMMANDS ?? 0.2);

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "blank-app-"));
  const servers = new TestServers();
  try {
    await servers.launch();
    print("Building a blank Next.js app …");
    buildBlankApp(folder);
    show("Machine:", [machine()]);
    const env = { SESSION_SECRET: sessionSecret };
    const blank = await servers.keep(startServer({ folder, path: "/", env }));

    const app = await servers.start({ database: 1 });
    show("Bytes of a first visit, compressed:", await measurePages(app.url, blank.url));
    show("Longest time from a touch or key to the next frame:", await measureInteractions(app.url));
    await servers.stopApps();

    show("Requests per second, and milliseconds:", await measureSpeed(servers, blank));
    await servers.stopApps();

    const site = await startDeployedSite(servers, { database: 2 });
    const file = join(__dirname, "blank.Caddyfile");
    const blankSite = await servers.keep(
      startCaddyWith(file, { upstream: blank.port, port: await freePort() }),
    );
    show("Bytes of a first visit behind Caddy:", await measurePages(site.url, blankSite.url));
    show("Requests per second behind Caddy:", await measureDeployedSpeed(site, blankSite));
    await servers.stopApps();

    show("API responses during 90 page views per second, in milliseconds:", await measureFlood(servers, 3));
    show("Redis alone, by redis-benchmark:", [await measureRedis(servers)]);
    show("Start, in milliseconds and MiB:", await measureStartUp(servers, folder));
    show("24 complete visits at once, and MiB:", await measureMemory(servers, 4));
    await servers.stopApps();

    const functions = measureFunctions(join(__dirname, ".."));
    show("Build output, in MiB:", [measureStandalone(deployedBuild), ...functions]);
    const { completed, bounced } = await measureVisits(servers, 5);
    show("Redis commands of a visit:", [completed, bounced]);
    const costs = monthlyCosts(completed.commands, dollarsPer100k);
    show(`Redis per month, at $${dollarsPer100k} for 100,000 commands:`, costs);
  } finally {
    await servers.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function machine(): object {
  return {
    at: new Date().toISOString(),
    node: process.version,
    next: nextPackage.version,
    system: release(),
    cpu: cpus()[0]?.model,
    cores: cpus().length,
  };
}

void main();
