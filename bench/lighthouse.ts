import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs, promisify } from "node:util";
import { startApp } from "@/e2e/support/app-server";
import { launchWholeBrowser } from "@/e2e/support/browser";
import { freePort, isTaken } from "@/e2e/support/ports";
import { startRedis } from "@/e2e/support/redis-server";
import { indexablePages } from "@/lib/routes";
import { print } from "@/scripts/lib/terminal";
import { latestFolder, newReport } from "./results";
import { medianScores, missedTargets, readScores, type PageScores } from "@/scripts/lib/lighthouse-scores";

/*
 * npm run lighthouse: how Lighthouse judges the pages for search engines, as a phone on a slow network sees them on their
 * first visit. Ends with 1 when a page misses the target. The reports of all runs are kept under bench/results/latest/.
 */

const root = join(__dirname, "..");
const program = join(root, "node_modules", "lighthouse", "cli", "index.js");
const reports = join(latestFolder, "lighthouse");
/** What the pages were built for: served there, their canonical addresses are their own. */
const preferredPort = 3000;
const runTimeoutMs = 120_000;
/** On a busy machine the browser now and then loses the beginning of its records. */
const triesPerRun = 3;

async function main(): Promise<void> {
  const { paths, runs } = readArguments();
  rmSync(reports, { recursive: true, force: true });
  mkdirSync(reports, { recursive: true });
  const redis = await startRedis();
  const port = (await isTaken(preferredPort)) ? undefined : preferredPort;
  const app = await startApp({ redisUrl: redis.url, port });
  const pages: (PageScores & { path: string })[] = [];
  try {
    for (const path of paths) pages.push({ path, ...(await judge(app.url, path, runs)) });
  } finally {
    await app.stop();
    await redis.stop();
  }
  const { show, keep } = newReport("lighthouse");
  show("measured", "Measured:", [{ at: new Date().toISOString(), runs }]);
  show("pages", "Lighthouse, mobile, the median of all runs:", pages);
  keep();
  print("Each run's report lies in bench/results/latest/lighthouse/.");
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
    options: { runs: { type: "string", default: "3" } },
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
  const scores: PageScores[] = [];
  for (let run = 1; run <= runs; run += 1) {
    const file = join(reports, `${path.slice(1) || "home"}-${run}.json`);
    const one = await judgeOnce(origin + path, file);
    print(`${path}, run ${run} of ${runs}: performance ${one.performance}, TBT ${Math.round(one.tbt)} ms`);
    scores.push(one);
  }
  return medianScores(scores);
}

async function judgeOnce(url: string, file: string): Promise<PageScores> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await report(url, file);
      return readScores(JSON.parse(readFileSync(file, "utf8")));
    } catch (error) {
      if (attempt === triesPerRun) throw error;
      print(`${url}: once more, since Lighthouse could not judge it.`);
    }
  }
}

/** Has a page judged as on a phone, which is Lighthouse's default, by a browser that has seen nothing yet. */
async function report(url: string, file: string): Promise<void> {
  const port = await freePort();
  const browser = await launchWholeBrowser([`--remote-debugging-port=${port}`]);
  try {
    const args = [
      ...[url, `--port=${port}`, "--output=json", `--output-path=${file}`],
      // The latter would send what goes wrong to the makers of Lighthouse.
      ...["--disable-full-page-screenshot", "--quiet", "--no-enable-error-reporting"],
    ];
    await promisify(execFile)(process.execPath, [program, ...args], { timeout: runTimeoutMs });
  } finally {
    await browser.close();
  }
}

void main();
