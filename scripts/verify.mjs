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
import { findProgram, packageOf } from "./lib/programs.mjs";
import { main, root, run } from "./lib/processes.mjs";

const all = process.argv.includes("--all");
/** Exit status of scripts/build-variants.mjs if the tool of the serverless host is not available. */
const cannotRun = 75;
const folder = join(root, ".data", "verify");
const reports = { jest: join(folder, "jest.json"), e2e: join(folder, "e2e.json") };

/** Environment variables that the steps get. The settings of the application are not among them. */
const inherited =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_.*|TZ|TERM|COLORTERM|FORCE_COLOR|NO_COLOR|CI|TMPDIR|TEMP|TMP|NODE_OPTIONS|NODE_EXTRA_CA_CERTS|SSL_CERT_.*|XDG_.*|CHROMIUM_PATH|FIREFOX_PATH|npm_.*|.*_proxy)$/i;
const entries = Object.entries(process.env).filter(([name]) => inherited.test(name));
/** Without the settings of a developer: exported variables, and .env files, which this variable makes Next.js ignore. */
const env = {
  ...Object.fromEntries(entries),
  __NEXT_PROCESSED_ENV: "true",
  // playwright.config.ts reads it.
  E2E_WITHOUT_SLOW: all ? "" : "yes",
};

/** Programs that the tests need, by their names in scripts/lib/programs.mjs. */
const needed = [
  ...["browser", "firefox", "webkit-driver", "minibrowser", "xvfb", "redis", "luacheck", "nginx"],
  ...["caddy", "openssl", "script", "prometheus", "promtool"],
  ...["systemd-analyze", "systemd-tmpfiles", "python3", "curl", "jq", "ip", "pgrep"],
];

const tool = (name) => join(root, "node_modules", ".bin", name);
const variants = [process.execPath, "scripts/build-variants.mjs"];

let e2eOptions = [];
/** One entry per step: name, seconds, and the counts of its tests. A step without tests counts as one test. */
const results = [];
/** The tests that passed only when they were repeated. */
let flaky = [];

await main(verify);

async function verify() {
  requireNode();
  mkdirSync(folder, { recursive: true });
  await ensurePackages();
  await ensurePackages(deliveryServiceFolder);
  await ensurePrograms();
  await step("advisories", checkAdvisories);
  // Each of these sequences uses one core.
  await Promise.all([
    sequence({
      // `next typegen` writes next-env.d.ts and the types of the routes.
      types: () =>
        runAll([tool("next"), "typegen"], [tool("tsc")], [tool("tsc"), "-p", deliveryServiceFolder]),
      "delivery service": () => runAll(["npm", "--prefix", deliveryServiceFolder, "test"]),
    }),
    sequence({
      prettier: () => runAll([tool("prettier"), "--check", "."]),
      lint: () => runAll(["npm", "run", "lint"]),
    }),
  ]);
  // The unit tests often wait, so the builds use the rest of the processor.
  await Promise.all([
    step("jest", () => runTests([tool("jest"), "--json", `--outputFile=${reports.jest}`], "jest", countJest)),
    sequence({
      build: () => runAll(["env", "BUILD_TYPES=checked", "npm", "run", "build"]),
      ...(all && { "build variants": () => runAll(variants), "serverless build": buildServerless }),
    }),
  ]);
  await step("e2e", () => runTests(["npm", "run", "test:e2e", "--", ...e2eOptions], "e2e", countPlaywright));
  return report();
}

async function ensurePrograms() {
  // Optional, because it only makes the tests faster.
  if (!findProgram("headless-shell")) await installFromDebian([packageOf("headless-shell")]);
  const missing = needed.filter((name) => !findProgram(name));
  if (missing.length > 0) await installFromDebian(missing.map(packageOf));
  for (const name of missing)
    if (!findProgram(name)) await step(`install ${packageOf(name)}`, () => one(false));
  if (all && !(await ensureDeployedNode())) await step("download another Node", () => one(false));
}

/** Runs steps one after the other. */
async function sequence(steps) {
  for (const [name, work] of Object.entries(steps)) await step(name, work);
}

async function step(name, work) {
  console.log(`\n=== ${name} ${"=".repeat(Math.max(0, 70 - name.length))}\n`);
  const started = Date.now();
  const counts = await work();
  const seconds = Math.round((Date.now() - started) / 1000);
  const result = counts.failed + counts.skipped === 0 ? "passed" : "FAILED";
  results.push({ name, result, ...counts, seconds });
  console.log(`\n--- ${name}: ${result} in ${seconds} s`);
}

function one(passed) {
  return { passed: passed ? 1 : 0, failed: passed ? 0 : 1, skipped: 0 };
}

/** Runs commands, and stops after the first that fails. */
async function runAll(...list) {
  for (const [command, ...args] of list) if ((await run(command, args, { env })) !== 0) return one(false);
  return one(true);
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
  return one(severe.every((count) => count === 0));
}

/** Builds with the tool of the serverless host. Without the tool, the step and the tests of its build are skipped. */
async function buildServerless() {
  const status = await run(variants[0], [variants[1], "serverless"], { env });
  if (status !== 0) e2eOptions = ["--grep-invert", "@serverless|hosting/serverless"];
  return status === cannotRun ? { passed: 0, failed: 0, skipped: 1 } : one(status === 0);
}

/** Runs tests, and counts them in the report. Fails if the report is missing or names no test. */
async function runTests([command, ...args], name, count) {
  rmSync(reports[name], { force: true });
  const status = await run(command, args, { env });
  if (!existsSync(reports[name])) return one(false);
  const counts = count(JSON.parse(readFileSync(reports[name], "utf8")));
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

/** A flaky test failed, and passed when it was repeated. It counts as passed, and `report` names it. */
function countPlaywright({ suites, stats }) {
  const specsOf = (suite) => [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specsOf)];
  const isFlaky = ({ tests }) => tests.some(({ status }) => status === "flaky");
  flaky = suites.flatMap(specsOf).filter(isFlaky);
  return { passed: stats.expected + stats.flaky, failed: stats.unexpected, skipped: stats.skipped };
}

function report() {
  console.table(results);
  for (const { file, line, title } of flaky) console.log(`flaky: ${file}:${line} ${title}`);
  const total = (key) => results.reduce((sum, result) => sum + result[key], 0);
  console.log(`\n${total("passed")} passed, ${total("failed")} failed, ${total("skipped")} skipped`);
  return total("failed") === 0 && total("skipped") === 0 ? 0 : 1;
}
