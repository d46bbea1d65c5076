import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs, promisify } from "node:util";
import { startApp } from "@/e2e/support/servers/app-server";
import { launchWholeBrowser } from "@/e2e/support/browser/browser";
import { buildsFolder } from "@/e2e/support/servers/builds";
import { slowdown } from "@/e2e/support/browser/phone";
import { freePort, isTaken } from "@/e2e/support/ports";
import { startRedis } from "@/e2e/support/servers/redis-server";
import { Rig } from "@/e2e/support/rig";
import { startCaddy } from "@/e2e/support/servers/web-server";
import { indexablePages } from "@/lib/http/pages";
import { print } from "@/scripts/lib/terminal";
import { quietRuns } from "./quiet-runs";
import { show } from "./results";
import { medianScores, missedTargets, readScores, type PageScores } from "@/scripts/lib/lighthouse-scores";

/*
 * npm run lighthouse: how Lighthouse judges the pages for search engines, as a phone on a slow network sees them on their
 * first visit, behind the web server of deploy/. Ends with 1 when a page misses the target. The reports of all runs are
 * kept under .data/lighthouse/.
 */

const root = join(__dirname, "..");
const release = join(root, buildsFolder, "deployed");
const program = join(root, "node_modules", "lighthouse", "cli", "index.js");
const reports = join(root, ".data", "lighthouse");
/** What the pages were built for: served there, their canonical addresses are their own. */
const preferredPort = 443;
const runTimeoutMs = 120_000;
/** On a busy machine the browser now and then loses the beginning of its records. */
const triesPerRun = 3;
/** Lighthouse's own phone: so many times slower than the desktop of e2e/support/browser/phone.ts. */
const timesSlower = 4;

async function main(): Promise<void> {
  const { paths, runs } = readArguments();
  rmSync(reports, { recursive: true, force: true });
  mkdirSync(reports, { recursive: true });
  // Caddy's certificates are of nobody's authority.
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
  const rig = new Rig();
  const redis = await startRedis();
  const pages: (PageScores & { path: string })[] = [];
  try {
    const app = await rig.keep(startApp({ build: "deployed", redisUrl: redis.url }));
    const isOurs = process.getuid?.() === 0 && !(await isTaken(preferredPort));
    const port = isOurs ? preferredPort : await freePort();
    const site = await rig.keep(startCaddy({ release, upstream: app.port, port }));
    for (const path of paths) pages.push({ path, ...(await judge(site.url, path, runs)) });
  } finally {
    await rig.stop();
    await redis.stop();
  }
  show("Measured:", [{ at: new Date().toISOString(), runs }]);
  show("Lighthouse, mobile, the median of all runs:", pages);
  print("Each run's report lies in .data/lighthouse/.");
  for (const page of pages) {
    const missed = missedTargets(page);
    if (missed.length === 0) continue;
    print(`✗ ${page.path}: ${missed.join(", ")}`);
    process.exitCode = 1;
  }
}

function readArguments(): { paths: string[]; runs: number } {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { runs: { type: "string", default: "5" } },
  });
  const known: string[] = indexablePages.map(({ path }) => path);
  const unknown = positionals.filter((path) => !known.includes(path));
  if (unknown.length > 0)
    throw new Error(`No pages for search engines: ${unknown.join(" ")}. There are: ${known.join(" ")}`);
  const runs = Number(values.runs);
  if (!Number.isInteger(runs) || runs < 1) throw new Error("--runs needs a number of at least 1.");
  return { paths: positionals.length > 0 ? positionals : known, runs };
}

async function judge(origin: string, path: string, runs: number): Promise<PageScores> {
  // A page that nobody asked for yet would be judged with the server's start.
  await (await fetch(origin + path)).arrayBuffer();
  let made = 0;
  const scores = await quietRuns(runs, async (index) => {
    made += 1;
    const file = join(reports, `${path.slice(1) || "home"}-${made}.json`);
    const one = await judgeOnce(origin + path, file, slowdown(timesSlower, index));
    const [lcp, tbt] = [one.lcp, one.tbt].map(Math.round);
    print(`${path}: performance ${one.performance}, LCP ${lcp} ms, TBT ${tbt} ms (index ${index})`);
    return one;
  });
  return medianScores(scores);
}

async function judgeOnce(url: string, file: string, rate: number): Promise<PageScores> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await report(url, file, rate);
      return readScores(JSON.parse(readFileSync(file, "utf8")));
    } catch (error) {
      if (attempt === triesPerRun) throw error;
      print(`${url}: once more, since Lighthouse could not judge it.`);
    }
  }
}

/** Has a page judged as on a phone, which is Lighthouse's default, by a browser that has seen nothing yet. */
async function report(url: string, file: string, rate: number): Promise<void> {
  const port = await freePort();
  const browser = await launchWholeBrowser([
    `--remote-debugging-port=${port}`,
    "--ignore-certificate-errors",
  ]);
  try {
    const args = [
      ...[url, `--port=${port}`, "--output=json", `--output-path=${file}`],
      `--throttling.cpuSlowdownMultiplier=${rate}`,
      // The latter would send what goes wrong to the makers of Lighthouse.
      ...["--disable-full-page-screenshot", "--quiet", "--no-enable-error-reporting"],
    ];
    await promisify(execFile)(process.execPath, [program, ...args], { timeout: runTimeoutMs });
  } finally {
    await browser.close();
  }
}

void main();
