import { parseArgs } from "node:util";
import type { Browser, Page } from "@playwright/test";
import { launchBrowser, launchWholeBrowser } from "@/e2e/support/browser/browser";
import { longestInteraction, timeInteractions } from "@/e2e/support/browser/interactions";
import { openPage } from "@/e2e/support/browser/open-page";
import { slowdown } from "@/e2e/support/browser/phone";
import { TestServers } from "@/e2e/support/servers/test-servers";
import { siteUrl } from "@/e2e/support/servers/web-server";
import { print } from "@/scripts/lib/terminal";
import { startDeployedSite } from "./deployed-site";
import { median } from "./load";
import { parseRuns, quietRuns } from "./quiet-runs";
import { show } from "./results";
import { startSlowLine } from "./slow-line";

/*
 * npm run throttled: measures a first visit of the home page in a slowed browser over a slow line, and then the
 * interactions of the flow and a form in a slower browser. Exits with 1 if a median is over its limit.
 */

const line = { roundTripMs: 150, bytesPerSecond: 1_600_000 / 8 };
/** Factors to the desktop of e2e/support/browser/phone.ts. */
const timesSlower = { firstVisit: 4, interactions: 6 };
const interactionRuns = 3;
const limits: Record<string, number> = { "largest paint": 1_000, hydrated: 1_500 };

/** Milliseconds by the name of the row. */
type Times = Map<string, number>;

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { runs: { type: "string", default: "5" } } });
  const runs = parseRuns(values.runs);
  const servers = new TestServers();
  try {
    await servers.launch();
    const site = await startDeployedSite(servers);
    await (await fetch(site.url)).arrayBuffer();
    const visits = await quietRuns(runs, (index) => measureVisit(site.port, index));
    report(`Home, in milliseconds, the median of ${runs}:`, visits, (name) => limits[name]);
    const { url } = await servers.start();
    const interactions = await quietRuns(interactionRuns, (index) => measureInteractions(url, index));
    const title = `To the next frame, in milliseconds, the median of ${interactionRuns}:`;
    report(title, interactions, () => longestInteraction);
  } finally {
    await servers.stop();
  }
}

async function measureInteractions(url: string, index: number): Promise<Times> {
  const browser = await launchBrowser();
  try {
    return await timeInteractions(browser, url, slowdown(timesSlower.interactions, index));
  } finally {
    await browser.close();
  }
}

async function measureVisit(port: number, index: number): Promise<Times> {
  const slowLine = await startSlowLine(port, line);
  const browser = await launchWholeBrowser([]);
  try {
    const rate = slowdown(timesSlower.firstVisit, index);
    const times = await openHome(browser, siteUrl(slowLine.port), rate);
    const [paint, hydrated] = ["largest paint", "hydrated"].map((name) => Math.round(times.get(name) ?? NaN));
    print(`Largest paint after ${paint} ms, hydrated after ${hydrated} ms (index ${index}).`);
    return times;
  } finally {
    await browser.close();
    slowLine.stop();
  }
}

async function openHome(browser: Browser, url: string, rate: number): Promise<Times> {
  const { context, page } = await openPage(browser, undefined, { ignoreHTTPSErrors: true });
  // Opens the connection, which takes three round trips, before the measured navigation.
  await page.goto(`${url}/robots.txt`, { waitUntil: "networkidle" });
  const session = await context.newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate });
  await page.goto(url);
  // Leaves time for a later, larger paint. A script that waits in the page would take processor time.
  await page.waitForTimeout(6_000);
  return readTimes(page);
}

async function readTimes(page: Page): Promise<Times> {
  const { paint, hydrated, loads } = await page.evaluate(async () => ({
    paint: await new Promise<number>((resolve) => {
      const observer = new PerformanceObserver((list) => resolve(list.getEntries().at(-1)?.startTime ?? NaN));
      observer.observe({ type: "largest-contentful-paint", buffered: true });
    }),
    // components/islands/hydrate-island.tsx sets this mark.
    hydrated: performance.getEntriesByName("island home/tool")[0]?.startTime ?? NaN,
    loads: [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")].map(
      (entry) => ({ name: entry.name, end: (entry as PerformanceResourceTiming).responseEnd }),
    ),
  }));
  const lastByte = (name: RegExp, before = Infinity) =>
    Math.max(...loads.filter((load) => name.test(load.name) && load.end <= before).map(({ end }) => end));
  return new Map([
    ["HTML", lastByte(/\/$/)],
    ["styles", lastByte(/\.css$/)],
    ["largest paint", paint],
    ["scripts before hydration", lastByte(/\.js$/, hydrated)],
    ["hydrated", hydrated],
    ["fonts, for the next page", lastByte(/\.woff2$/)],
  ]);
}

/** Prints the medians, and each median over its limit. */
function report(title: string, runs: Times[], limitOf: (name: string) => number | undefined): void {
  const rows = [...(runs[0]?.keys() ?? [])].map((name) => ({
    name,
    ms: Math.round(median(runs.map((run) => run.get(name) ?? NaN))),
    wanted: limitOf(name),
  }));
  show(title, rows);
  for (const { name, ms, wanted } of rows) {
    if (wanted === undefined || ms <= wanted) continue;
    print(`✗ ${name}: ${ms} ms instead of at most ${wanted}`);
    process.exitCode = 1;
  }
}

void main();
