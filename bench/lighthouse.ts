import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { chromiumArguments, launchBrowser } from "@/testing/browser/browser";
import { accepts } from "@/scripts/lib/ports.mjs";
import { ensurePackages } from "@/scripts/lib/install.mjs";
import { root } from "@/scripts/lib/processes.mjs";
import type { TestServers } from "@/testing/servers/test-servers";
import { indexablePages } from "@/lib/http/pages";
import { requireProgram } from "@/scripts/lib/programs.mjs";
import { print } from "@/cli/terminal";
import { startDeployedSite } from "./deployed-site";
import { median } from "./load";
import { show } from "./results";

const tool = join(root, "bench", "lighthouse-tool");
const lighthouse = join(tool, "node_modules", "lighthouse");
const reports = join(root, ".data", "lighthouse");
/** The port of the canonical URLs, which the build contains. */
const canonicalPort = 443;
/**
 * Lighthouse's phone is slower than a desktop with this `environment.benchmarkIndex` by this factor. Lighthouse itself slows
 * down every processor by a fixed factor, so its result would depend on the machine.
 */
const timesSlower = 4;
const desktopIndex = 2_700;
/** Maximum ratio between the machine's indexes before and after a run. */
const maxIndexRatio = 1.25;
const triesPerRun = 8;

/** The figures of a report, and their targets: scores are at least 100, the others at most the target. */
const categories = { performance: 100, accessibility: 100, "best-practices": 100, seo: 100 };
const audits = {
  "largest-contentful-paint": 1_600,
  "cumulative-layout-shift": 0,
  "total-blocking-time": 50,
  "total-byte-weight": Infinity,
};
type Figure = keyof typeof categories | keyof typeof audits;
type Figures = Record<Figure, number>;

/** The parts of Lighthouse that this file reads. */
type Functions = { pageFunctions: { computeBenchmarkIndex: () => number } };
interface Report {
  runtimeError?: { message: string };
  categories: Record<string, { score: number | null }>;
  audits: Record<string, { numericValue?: number }>;
}

/**
 * Prints the Lighthouse scores of pages for search engines, by default of all, on a simulated phone with a slow network: the
 * median of the runs. Returns the exit status: 1 if a page misses a target. Writes all reports to .data/lighthouse/.
 */
export async function measureLighthouse(
  servers: TestServers,
  paths: string[],
  runs: number,
): Promise<number> {
  const known: string[] = indexablePages.map(({ path }) => path);
  const unknown = paths.filter((path) => !known.includes(path));
  if (unknown.length > 0)
    throw new Error(`No pages for search engines: ${unknown.join(" ")}. The pages are: ${known.join(" ")}`);
  await ensurePackages(tool);
  rmSync(reports, { recursive: true, force: true });
  mkdirSync(reports, { recursive: true });
  const isFree = process.getuid?.() === 0 && !(await accepts(canonicalPort));
  const site = await startDeployedSite(servers, isFree ? { port: canonicalPort } : {});
  const rows: ({ path: string } & Figures)[] = [];
  for (const path of paths.length > 0 ? paths : known)
    rows.push({ path, ...(await measurePage(site.url, path, runs)) });
  show(`Lighthouse, mobile, the median of ${runs} runs:`, rows);
  const missed = rows.flatMap((row) =>
    [
      ...Object.entries(categories).filter(([name, least]) => row[name as Figure] < least),
      ...Object.entries(audits).filter(([name, most]) => row[name as Figure] > most),
    ].map(([name, target]) => `✗ ${row.path}: ${name} is ${row[name as Figure]}, not ${target}`),
  );
  for (const line of missed) print(line);
  return missed.length > 0 ? 1 : 0;
}

/** Returns the medians of `runs` runs. Repeats a run that failed, or during which the machine became slower or faster. */
async function measurePage(origin: string, path: string, runs: number): Promise<Figures> {
  // The server's first response to a path is slower.
  await (await fetch(origin + path)).arrayBuffer();
  const found: Figures[] = [];
  let before = await readIndex();
  for (let tries = 1; found.length < runs; tries += 1) {
    if (tries > runs * triesPerRun)
      throw new Error(`The machine is too noisy: ${found.length} runs were quiet.`);
    const file = join(reports, `${path.slice(1) || "home"}-${tries}.json`);
    const rate = Math.max(1, (timesSlower * before) / desktopIndex);
    // On a busy machine the browser sometimes loses the start of its trace.
    const figures = await measureOnce(origin + path, file, rate).catch(String);
    const after = await readIndex();
    const isQuiet = Math.max(before, after) <= Math.min(before, after) * maxIndexRatio;
    if (typeof figures === "string") print(`${path}: repeated, Lighthouse failed: ${figures}`);
    else if (isQuiet) found.push(figures);
    else print(`${path}: repeated, the machine was noisy`);
    before = after;
  }
  const names = [...Object.keys(categories), ...Object.keys(audits)] as Figure[];
  return Object.fromEntries(names.map((name) => [name, median(found.map((run) => run[name]))])) as Figures;
}

/** Runs Lighthouse's benchmark for a second. Returns the index of the machine. */
async function readIndex(): Promise<number> {
  const { pageFunctions } = (await import(join(lighthouse, "core", "lib", "page-functions.js"))) as Functions;
  const browser = await launchBrowser(requireProgram("browser"));
  try {
    return await (await browser.newPage()).evaluate(pageFunctions.computeBenchmarkIndex);
  } finally {
    await browser.close();
  }
}

/** Runs Lighthouse with a fresh browser profile. */
async function measureOnce(url: string, file: string, rate: number): Promise<Figures> {
  const args = [
    ...[url, "--output=json", `--output-path=${file}`, `--throttling.cpuSlowdownMultiplier=${rate}`],
    `--chrome-flags=${[...chromiumArguments, "--ignore-certificate-errors"].join(" ")}`,
    // Without the last option, Lighthouse sends errors to its developers.
    ...["--disable-full-page-screenshot", "--quiet", "--no-enable-error-reporting"],
  ];
  const env = { ...process.env, CHROME_PATH: requireProgram("browser") };
  const options = { env, timeout: 120_000, killSignal: "SIGINT" } as const;
  await promisify(execFile)(process.execPath, [join(lighthouse, "cli", "index.js"), ...args], options);
  const report = JSON.parse(readFileSync(file, "utf8")) as Report;
  if (report.runtimeError) throw new Error(report.runtimeError.message);
  const scores = Object.keys(categories).map((name) => {
    return [name, Math.round((report.categories[name]?.score ?? 0) * 100)];
  });
  const values = Object.keys(audits).map((name) => [name, report.audits[name]?.numericValue ?? NaN]);
  return Object.fromEntries([...scores, ...values]) as Figures;
}
