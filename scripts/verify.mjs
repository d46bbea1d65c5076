/*
 * npm run verify: the checks that must pass before a change is merged. It installs what is missing, and runs every step even
 * after a step has failed. A missing program and a skipped test count as failures.
 * npm run verify -- --all: also the tests with the tag @slow, and what only they need. Continuous integration runs this.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { deliveryServiceFolder, ensurePackages, installFromDebian, requireNode } from "./lib/install.mjs";
import { ensureDeployedNode } from "./lib/node-versions.mjs";
import { findProgram, packageOf, testPrograms } from "./lib/programs.mjs";
import { main, root, run } from "./lib/processes.mjs";

const all = process.argv.includes("--all");
/** Exit status of scripts/build-variants.mjs if the tool of the serverless host is not available. */
const cannotRun = 75;
const folder = join(root, ".data", "verify");

/** Environment variables that the steps get. The settings of the application are not among them. */
const inherited =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_.*|TZ|TERM|COLORTERM|FORCE_COLOR|NO_COLOR|CI|TMPDIR|TEMP|TMP|NODE_OPTIONS|NODE_EXTRA_CA_CERTS|SSL_CERT_.*|XDG_.*|CHROMIUM_PATH|FIREFOX_PATH|npm_.*|.*_proxy)$/i;
const entries = Object.entries(process.env).filter(([name]) => inherited.test(name));
/** Without the settings of a developer: exported variables, and .env files, which this variable makes Next.js ignore. */
const env = {
  ...Object.fromEntries(entries),
  __NEXT_PROCESSED_ENV: "true",
  PATH: `${join(root, "node_modules", ".bin")}:${process.env.PATH}`,
  // playwright.config.ts reads it.
  E2E_WITHOUT_SLOW: all ? "" : "yes",
  // See docs/dependencies.md.
  ESBUILD_WORKER_THREADS: "0",
};

/** One entry per step: name, seconds, and the counts of its tests. */
const results = [];

await main(verify);

async function verify() {
  requireNode();
  mkdirSync(folder, { recursive: true });
  await Promise.all([ensurePackages(), ensurePackages(deliveryServiceFolder)]);
  await ensurePrograms();
  // Each of the two sequences uses one core.
  await Promise.all([
    sequence({
      types: "npm run typecheck",
      "delivery service": "npm --prefix examples/delivery-service test",
      prettier: "prettier --check .",
    }),
    step("lint", "npm run lint"),
    step("advisories", checkAdvisories),
  ]);
  // The unit tests often wait, so the builds use the rest of the processor.
  await Promise.all([
    step("jest", () => runTests("jest --json --outputFile=.data/verify/jest.json", "jest", countJest)),
    sequence({
      build: "BUILD_TYPES=checked npm run build",
      ...(all && {
        "build variants": "node scripts/build-variants.mjs",
        "serverless build": "node scripts/build-variants.mjs serverless",
      }),
    }),
  ]);
  const isMissing = results.some(({ name, result }) => name === "serverless build" && result !== "passed");
  const options = isMissing ? '--grep-invert "@serverless|hosting/serverless"' : "";
  await step("e2e", () => runTests(`npm run test:e2e -- ${options}`, "e2e", countPlaywright));
  return report();
}

async function ensurePrograms() {
  // Optional, because it only makes the tests faster.
  if (!findProgram("headless-shell")) await installFromDebian([packageOf("headless-shell")]);
  const missing = testPrograms.filter((name) => !findProgram(name));
  if (missing.length > 0) await installFromDebian(missing.map(packageOf));
  for (const name of missing) if (!findProgram(name)) await step(`install ${packageOf(name)}`, () => one(1));
  if (all && !(await ensureDeployedNode())) await step("download another Node", () => one(1));
}

/** Runs steps one after the other. */
async function sequence(steps) {
  for (const [name, work] of Object.entries(steps)) await step(name, work);
}

/** Runs a shell command, or a function that returns counts. */
async function step(name, work) {
  console.log(`\n=== ${name} ${"=".repeat(Math.max(0, 70 - name.length))}\n`);
  const started = Date.now();
  const counts = typeof work === "string" ? one(await runShell(work)) : await work();
  const seconds = Math.round((Date.now() - started) / 1000);
  const result = counts.failed + counts.skipped === 0 ? "passed" : "FAILED";
  results.push({ name, result, ...counts, seconds });
  console.log(`\n--- ${name}: ${result} in ${seconds} s`);
}

function runShell(command) {
  return run("/bin/sh", ["-c", command], { env });
}

/** Counts a step without tests as one test. */
function one(status) {
  const isSkipped = status === cannotRun;
  const passed = status === 0 ? 1 : 0;
  return { passed, failed: isSkipped ? 0 : 1 - passed, skipped: isSkipped ? 1 : 0 };
}

/**
 * Requests the advisories for runtime packages, and fails for high and critical severity. Prints a note, and passes, if the
 * registry has no advisories or does not respond.
 */
function checkAdvisories() {
  const args = ["audit", "--omit=dev", "--package-lock-only", "--json", "--fetch-retries=0"];
  const severe = [root, deliveryServiceFolder].map((cwd) => {
    const { stdout } = spawnSync("npm", args, { cwd, env, encoding: "utf8", timeout: 60_000 });
    const { metadata, message = "no response" } = JSON.parse(stdout || "{}");
    console.log(metadata ? JSON.stringify(metadata.vulnerabilities) : `NOT CHECKED: ${message}`);
    return metadata ? metadata.vulnerabilities.high + metadata.vulnerabilities.critical : 0;
  });
  return one(severe.every((count) => count === 0) ? 0 : 1);
}

/** Runs tests, and counts them in the report. Fails if the report is missing or names no test. */
async function runTests(command, name, count) {
  const file = join(folder, `${name}.json`);
  rmSync(file, { force: true });
  const status = await runShell(command);
  if (!existsSync(file)) return one(1);
  const counts = count(JSON.parse(readFileSync(file, "utf8")));
  if (counts.failed === 0 && (status !== 0 || counts.passed === 0)) counts.failed = 1;
  return counts;
}

function countJest(report) {
  return {
    passed: report.numPassedTests,
    // Jest counts no tests in a file that it cannot load.
    failed: report.numFailedTests + report.numRuntimeErrorTestSuites,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/** A flaky test failed, and passed when it was repeated. It counts as passed, and Playwright names it. */
function countPlaywright({ stats }) {
  return { passed: stats.expected + stats.flaky, failed: stats.unexpected, skipped: stats.skipped };
}

function report() {
  console.table(results);
  const total = (key) => results.reduce((sum, result) => sum + result[key], 0);
  console.log(`\n${total("passed")} passed, ${total("failed")} failed, ${total("skipped")} skipped`);
  return total("failed") === 0 && total("skipped") === 0 ? 0 : 1;
}
