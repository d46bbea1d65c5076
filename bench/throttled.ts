import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Browser } from "playwright-core";
import { startApp } from "@/e2e/support/app-server";
import { launchWholeBrowser } from "@/e2e/support/browser";
import { buildsFolder } from "@/e2e/support/builds";
import { newWindow } from "@/e2e/support/flow-pages";
import { freePort } from "@/e2e/support/ports";
import { Rig } from "@/e2e/support/rig";
import { startRedis } from "@/e2e/support/redis-server";
import { startCaddy } from "@/e2e/support/web-server";
import { print } from "@/scripts/lib/terminal";
import { median } from "./load";
import { newReport } from "./results";

/*
 * npm run throttled: when a first visitor with a cheap phone sees home and can use it, behind the web server of deploy/, in a
 * browser that is really slowed down: a quarter of the processor, 1.6 Mbit/s, 150 ms to each answer. Ends with 1 where a
 * median is late. A run during which the machine was slower than it can be is not counted, and made again.
 */

const release = join(__dirname, "..", buildsFolder, "deployed");
const slowdown = { cpu: 4, latencyMs: 150, bytesPerSecond: 1_600_000 / 8 };
const wanted = { largestPaint: 1_000, toolAnswers: 1_500 };
/** How much slower than at its best the machine may be before and after a run that counts. */
const noiseAllowed = 1.25;
const maxTries = 40;

interface Run {
  /** Milliseconds from the start of the navigation. */
  largestPaint: number;
  /** Until the form's button is the script's. */
  toolAnswers: number;
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
    report(await countedRuns(site.url, count));
  } finally {
    await rig.stop();
    await redis.stop();
  }
}

/** As many runs as are wanted on a quiet machine. */
async function countedRuns(url: string, count: number): Promise<Run[]> {
  let best = Math.min(...Array.from({ length: 20 }, workMs));
  const runs: Run[] = [];
  for (let tries = 0; runs.length < count; tries += 1) {
    if (tries === maxTries)
      throw new Error(`The machine is too noisy: ${tries} tries gave ${runs.length} runs.`);
    const before = workMs();
    const run = await visitOnce(url);
    const after = workMs();
    best = Math.min(best, before, after);
    if (Math.max(before, after) > best * noiseAllowed) {
      print("Once more: the machine was busy with something else.");
      continue;
    }
    print(
      `Largest paint after ${Math.round(run.largestPaint)} ms, answers after ${Math.round(run.toolAnswers)} ms.`,
    );
    runs.push(run);
  }
  return runs;
}

/** How long the same work takes now. */
function workMs(): number {
  const startedAt = performance.now();
  let sum = 0;
  for (let count = 0; count < 20_000_000; count += 1) sum = (sum + count) % 1_000_003;
  return sum < 0 ? NaN : performance.now() - startedAt;
}

async function visitOnce(url: string): Promise<Run> {
  const browser = await launchWholeBrowser([]);
  try {
    return await measure(browser, url);
  } finally {
    await browser.close();
  }
}

async function measure(browser: Browser, url: string): Promise<Run> {
  const { context, page } = await newWindow(browser, { ignoreHTTPSErrors: true });
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: slowdown.latencyMs,
    downloadThroughput: slowdown.bytesPerSecond,
    uploadThroughput: slowdown.bytesPerSecond,
  });
  await session.send("Emulation.setCPUThrottlingRate", { rate: slowdown.cpu });
  await page.addInitScript(watch);
  await page.goto(url);
  await page.waitForFunction(() => "toolAnswers" in window.measured, undefined, { timeout: 20_000 });
  // A later, larger paint would have come by now.
  await page.waitForTimeout(1_500);
  return page.evaluate(() => window.measured as Run);
}

declare global {
  interface Window {
    measured: Partial<Run>;
  }
}

/** Runs in the page. React writes its properties on an element when it takes it over. */
function watch(): void {
  window.measured = {};
  new PerformanceObserver((list) => {
    window.measured.largestPaint = list.getEntries().at(-1)?.startTime;
  }).observe({ type: "largest-contentful-paint", buffered: true });
  const timer = setInterval(() => {
    const button = document.querySelector("form button[type=submit]");
    if (!button || !Object.keys(button).some((key) => key.startsWith("__reactProps"))) return;
    window.measured.toolAnswers = performance.now();
    clearInterval(timer);
  }, 10);
}

function report(runs: Run[]): void {
  const { show, keep } = newReport("throttled");
  const middle = (name: keyof Run) => Math.round(median(runs.map((run) => run[name])));
  const rows = (Object.keys(wanted) as (keyof Run)[]).map((name) => ({
    name: name === "largestPaint" ? "largest paint" : "the tool answers",
    ms: middle(name),
    wanted: wanted[name],
  }));
  show("home", `Home, in milliseconds, the median of ${runs.length}:`, rows);
  keep();
  for (const { name, ms, wanted: most } of rows) {
    if (ms <= most) continue;
    print(`✗ ${name}: ${ms} ms instead of at most ${most}`);
    process.exitCode = 1;
  }
}

void main();
