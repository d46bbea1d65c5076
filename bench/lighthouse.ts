import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs, promisify } from "node:util";
import { chromiumArguments, launchWholeBrowser } from "@/e2e/support/browser/browser";
import { machineIndex, slowdown } from "./phone";
import { isTaken } from "@/e2e/support/ports";
import { TestServers } from "@/e2e/support/servers/test-servers";
import { indexablePages } from "@/lib/http/pages";
import { medianScores, missedTargets, readScores, type PageScores } from "@/scripts/lib/lighthouse-scores";
import { requireProgram } from "@/scripts/lib/programs.mjs";
import { print } from "@/cli/terminal";
import { startDeployedSite } from "./deployed-site";
import { show } from "./results";

/*
 * npm run lighthouse: prints the Lighthouse scores of the pages for search engines, on a simulated phone with a slow
 * network. Exits with 1 if a page misses a target. Writes the reports of all runs to .data/lighthouse/.
 */

const root = join(__dirname, "..");
const program = join(root, "node_modules", "lighthouse", "cli", "index.js");
const reports = join(root, ".data", "lighthouse");
/** The port of the canonical URLs, which the build contains. */
const canonicalPort = 443;
/** Lighthouse's phone is slower than the desktop of bench/phone.ts by this factor. */
const timesSlower = 4;
/** Maximum ratio between the machine's indexes before and after a run. */
const maxIndexRatio = 1.25;
const triesPerRun = 8;

async function main(): Promise<void> {
  const { paths, runs } = readArguments();
  rmSync(reports, { recursive: true, force: true });
  mkdirSync(reports, { recursive: true });
  const servers = new TestServers();
  const pages: (PageScores & { path: string })[] = [];
  try {
    await servers.launch();
    const isFree = process.getuid?.() === 0 && !(await isTaken(canonicalPort));
    const site = await startDeployedSite(servers, isFree ? { port: canonicalPort } : {});
    for (const path of paths) pages.push({ path, ...(await measurePage(site.url, path, runs)) });
  } finally {
    await servers.stop();
  }
  show("Measured:", [{ at: new Date().toISOString(), runs }]);
  show("Lighthouse, mobile, the median of all runs:", pages);
  print("The reports of all runs are in .data/lighthouse/.");
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
  const runs = Number(values.runs);
  if (!Number.isInteger(runs) || runs < 1) throw new Error("--runs needs a number of at least 1.");
  const known: string[] = indexablePages.map(({ path }) => path);
  const unknown = positionals.filter((path) => !known.includes(path));
  if (unknown.length > 0)
    throw new Error(`No pages for search engines: ${unknown.join(" ")}. The pages are: ${known.join(" ")}`);
  return { paths: positionals.length > 0 ? positionals : known, runs };
}

/** Returns the medians of `runs` runs. Repeats a run during which the machine became slower or faster. */
async function measurePage(origin: string, path: string, runs: number): Promise<PageScores> {
  // The server's first response to a path is slower.
  await (await fetch(origin + path)).arrayBuffer();
  const scores: PageScores[] = [];
  let before = await readIndex();
  for (let tries = 1; scores.length < runs; tries += 1) {
    if (tries > runs * triesPerRun)
      throw new Error(`The machine is too noisy: ${scores.length} runs were quiet.`);
    const file = join(reports, `${path.slice(1) || "home"}-${tries}.json`);
    const found = await measureOnce(origin + path, file, slowdown(timesSlower, before));
    const [lcp, tbt] = [found.lcp, found.tbt].map(Math.round);
    const after = await readIndex();
    const isQuiet = Math.max(before, after) <= Math.min(before, after) * maxIndexRatio;
    if (isQuiet) scores.push(found);
    const result = `${path}: performance ${found.performance}, LCP ${lcp} ms, TBT ${tbt} ms`;
    print(isQuiet ? result : `${result}; repeated, because the machine's index was ${before}, then ${after}`);
    before = after;
  }
  return medianScores(scores);
}

async function readIndex(): Promise<number> {
  const browser = await launchWholeBrowser([]);
  try {
    return await machineIndex(browser);
  } finally {
    await browser.close();
  }
}

/** Runs Lighthouse with a fresh browser profile. On a busy machine the browser sometimes loses the start of its trace. */
async function measureOnce(url: string, file: string, rate: number, triesLeft = 3): Promise<PageScores> {
  const args = [
    ...[url, "--output=json", `--output-path=${file}`, `--throttling.cpuSlowdownMultiplier=${rate}`],
    `--chrome-flags=${[...chromiumArguments, "--ignore-certificate-errors"].join(" ")}`,
    // Without the last option, Lighthouse sends errors to its developers.
    ...["--disable-full-page-screenshot", "--quiet", "--no-enable-error-reporting"],
  ];
  const env = { ...process.env, CHROME_PATH: requireProgram("browser") };
  try {
    await promisify(execFile)(process.execPath, [program, ...args], {
      env,
      timeout: 120_000,
      killSignal: "SIGINT",
    });
    return readScores(JSON.parse(readFileSync(file, "utf8")));
  } catch (error) {
    if (triesLeft === 1) throw error;
    print(`${url}: Lighthouse failed, and runs again.`);
    return measureOnce(url, file, rate, triesLeft - 1);
  }
}

void main();
