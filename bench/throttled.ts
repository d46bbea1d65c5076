import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Browser, Page } from "playwright-core";
import { startApp } from "@/e2e/support/servers/app-server";
import { launchBrowser, launchWholeBrowser } from "@/e2e/support/browser/browser";
import { buildsFolder } from "@/e2e/support/servers/builds";
import { newWindow } from "@/e2e/support/browser/flow-pages";
import { longestInteraction, timeInteractions } from "@/e2e/support/browser/interactions";
import { slowdown } from "@/e2e/support/browser/phone";
import { freePort } from "@/e2e/support/ports";
import { Rig } from "@/e2e/support/rig";
import { startRedis } from "@/e2e/support/servers/redis-server";
import { siteUrl, startCaddy } from "@/e2e/support/servers/web-server";
import { print } from "@/scripts/lib/terminal";
import { median } from "./load";
import { quietRuns } from "./quiet-runs";
import { show } from "./results";
import { startSlowLine, type SlowLine } from "./slow-line";

/*
 * npm run throttled: when a first visitor with a cheap phone sees home and can use it, behind the web server of deploy/, in a
 * browser that is really slowed down: to a quarter of a desktop (see e2e/support/browser/phone.ts), 1.6 Mbit/s, 150 ms to each
 * answer. Then how long touches and keys take in the whole flow and in a form, on a sixth of a desktop. Ends with 1 where a
 * median is late.
 */

const release = join(__dirname, "..", buildsFolder, "deployed");
const phone = { timesSlower: 4, line: { roundTripMs: 150, bytesPerSecond: 1_600_000 / 8 } };
/** So many times slower than the desktop, for touches and keys. */
const slowestPhone = 6;
const walks = 3;
const wanted = { largestPaint: 1_000, toolAnswers: 1_500 };

/** Milliseconds from the start of the navigation. */
interface Run {
  largestPaint: number;
  /** Until the island is live; see components/islands/hydrate-island.tsx. */
  toolAnswers: number;
  /** Until the last byte of each kind; of scripts, of those that came before that. */
  document: number;
  styles: number;
  typefaces: number;
  scripts: number;
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { runs: { type: "string", default: "5" } } });
  const count = Number(values.runs);
  if (!Number.isInteger(count) || count < 1) throw new Error("--runs needs a number of at least 1.");
  // Caddy's certificates are of nobody's authority.
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
  const rig = new Rig();
  const redis = await startRedis();
  try {
    const app = await rig.keep(startApp({ build: "deployed", redisUrl: redis.url }));
    const site = await rig.keep(startCaddy({ release, upstream: app.port, port: await freePort() }));
    await (await fetch(site.url)).arrayBuffer();
    const visits = await quietRuns(count, (index) => visitOnce(site.port, index));
    const demo = await rig.keep(startApp({ redisUrl: redis.url, env: { TRUSTED_IP_HEADER: "x-real-ip" } }));
    report(visits, await quietRuns(walks, (index) => walk(demo.url, index)));
  } finally {
    await rig.stop();
    await redis.stop();
  }
}

/** Through the flow and a form, on a phone that is slower still. */
async function walk(url: string, index: number): Promise<Map<string, number>> {
  const browser = await launchBrowser();
  try {
    return await timeInteractions(browser, url, slowdown(slowestPhone, index));
  } finally {
    await browser.close();
  }
}

async function visitOnce(port: number, index: number): Promise<Run> {
  const line = await startSlowLine(port, phone.line);
  const browser = await launchWholeBrowser([]);
  try {
    const run = await measure(browser, line, slowdown(phone.timesSlower, index));
    const [paint, answers] = [run.largestPaint, run.toolAnswers].map(Math.round);
    print(`Largest paint after ${paint} ms, answers after ${answers} ms (index ${index}).`);
    return run;
  } finally {
    await browser.close();
    await line.stop();
  }
}

/** The connection is there before, so that each answer takes one round trip: a phone's first would take three. */
async function measure(browser: Browser, line: SlowLine, rate: number): Promise<Run> {
  const { context, page } = await newWindow(browser, { ignoreHTTPSErrors: true });
  const url = siteUrl(line.port);
  await page.goto(`${url}/robots.txt`);
  line.becomeSlow();
  const session = await context.newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate });
  await page.goto(url);
  // Long enough for a later, larger paint. Nothing watches or is asked meanwhile, which would take the page's own time.
  await page.waitForTimeout(6_000);
  return readRun(page);
}

async function readRun(page: Page): Promise<Run> {
  const largestPaint = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const observer = new PerformanceObserver((list) =>
          resolve(list.getEntries().at(-1)?.startTime ?? NaN),
        );
        observer.observe({ type: "largest-contentful-paint", buffered: true });
      }),
  );
  const toolAnswers = await page.evaluate(
    () => performance.getEntriesByName("island home/tool")[0]?.startTime ?? NaN,
  );
  const loads = await page.evaluate(() =>
    [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")].map(
      (entry) => ({ name: entry.name, end: (entry as PerformanceResourceTiming).responseEnd }),
    ),
  );
  const lastByte = (name: RegExp, before = Infinity) =>
    Math.max(...loads.filter((load) => name.test(load.name) && load.end <= before).map(({ end }) => end));
  return {
    largestPaint,
    toolAnswers,
    document: lastByte(/\/$/),
    styles: lastByte(/\.css$/),
    typefaces: lastByte(/\.woff2$/),
    scripts: lastByte(/\.js$/, toolAnswers),
  };
}

function report(runs: Run[], walks: Map<string, number>[]): void {
  const middle = (name: keyof Run) => Math.round(median(runs.map((run) => run[name])));
  const rows: { name: string; ms: number; wanted?: number }[] = [
    { name: "the document is there", ms: middle("document") },
    { name: "its styles", ms: middle("styles") },
    { name: "largest paint", ms: middle("largestPaint"), wanted: wanted.largestPaint },
    { name: "its scripts", ms: middle("scripts") },
    { name: "the tool answers", ms: middle("toolAnswers"), wanted: wanted.toolAnswers },
    { name: "its typefaces, for the next page", ms: middle("typefaces") },
  ];
  show(`Home, in milliseconds, the median of ${runs.length}:`, rows);
  const interactions = [...(walks[0]?.keys() ?? [])].map((name) => ({
    name,
    ms: median(walks.map((found) => found.get(name) ?? NaN)),
    wanted: longestInteraction,
  }));
  show(`To the next picture, in milliseconds, the median of ${walks.length}:`, interactions);
  for (const { name, ms, wanted: most } of [...rows, ...interactions]) {
    if (most === undefined || ms <= most) continue;
    print(`✗ ${name}: ${ms} ms instead of at most ${most}`);
    process.exitCode = 1;
  }
}

void main();
