import { mkdtempSync, rmSync } from "node:fs";
import { cpus, release, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import nextPackage from "next/package.json";
import { freePort } from "@/scripts/lib/ports.mjs";
import { main } from "@/scripts/lib/processes.mjs";
import { sessionSecret, startServer } from "@/testing/servers/app-server";
import { TestServers } from "@/testing/servers/test-servers";
import { launchBrowser } from "@/testing/browser/browser";
import { weigh, weighPages } from "@/testing/browser/page-weight";
import { startCaddy } from "@/testing/servers/web-server";
import { print } from "@/cli/terminal";
import { buildBlankApp } from "./blank-app";
import { startDeployedSite } from "./deployed-site";
import { measureLighthouse } from "./lighthouse";
import { show } from "./results";
import { measureDeployedSpeed, measureSpeed } from "./speed";

/*
 * npm run bench: measures size and speed of the production build beside a blank Next.js app. Machines differ and are
 * shared, so compare the ratios. Each measurement has its own Redis database, and thus its own budget.
 * npm run bench -- lighthouse [--runs 5] [/faq ...]: prints the Lighthouse scores of the pages for search engines.
 */

async function bench(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { runs: { type: "string", default: "5" } },
  });
  const [part, ...paths] = positionals;
  const servers = new TestServers();
  try {
    await servers.launch();
    show("Machine:", [machine()]);
    if (part === "lighthouse") return await measureLighthouse(servers, paths, Number(values.runs));
    await compareWithBlankApp(servers);
    return 0;
  } finally {
    await servers.stop();
  }
}

async function compareWithBlankApp(servers: TestServers): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "blank-app-"));
  try {
    print("Building a blank Next.js app …");
    buildBlankApp(folder);
    const env = { SESSION_SECRET: sessionSecret };
    const blank = await servers.keep(startServer({ folder, path: "/", env }));

    const app = await servers.start({ database: 1 });
    show("Bytes of a first visit, compressed:", await measurePages(app.url, blank.url));
    await servers.stopApps();

    show("Requests per second, and milliseconds:", await measureSpeed(servers, blank));
    await servers.stopApps();

    const site = await startDeployedSite(servers, { database: 2 });
    const file = join(__dirname, "blank.Caddyfile");
    const blankSite = await servers.keep(startCaddy({ file, upstream: blank.port, port: await freePort() }));
    show("Bytes of a first visit behind Caddy:", await measurePages(site.url, blankSite.url));
    show("Requests per second behind Caddy:", await measureDeployedSpeed(site, blankSite));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Measures the transferred bytes of a first visit in a browser: the blank app's page, and every page of the product. */
async function measurePages(url: string, blankUrl: string): Promise<object[]> {
  const browser = await launchBrowser();
  try {
    const blank = await weigh(browser, blankUrl);
    const pages = [...(await weighPages(browser, url))].map(([{ path }, weight]) => ({ path, ...weight }));
    return [{ path: "a blank page", ...blank }, ...pages].map((row) => ({
      ...row,
      scriptOverBlank: row.script - blank.script,
    }));
  } finally {
    await browser.close();
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

void main(bench);
