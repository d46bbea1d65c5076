/*
 * npm run verify: all checks that must pass before a change is merged. It installs what is missing, and runs every step
 * even after a step has failed. A missing program and a skipped test count as failures.
 * npm run verify -- --all: also runs the other commands of scripts/lib/commands.mjs.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { commands, runCommand } from "./lib/commands.mjs";
import { deliveryServiceFolder, ensurePackages, installFromDebian, requireNode } from "./lib/install.mjs";
import { deployedNode, ensureDeployedNode, isOutdated } from "./lib/node-versions.mjs";
import { findProgram, packageOf } from "./lib/programs.mjs";
import { main, root, run, say } from "./lib/processes.mjs";

const minutes = 60_000;
/** Exit status of scripts/build-serverless.mjs and `npm run test:docker` if a program that they need is not available. */
const cannotRun = 75;
const folder = join(root, ".data", "verify");
const reports = { jest: join(folder, "jest.json"), e2e: join(folder, "e2e.json") };

/** Environment variables that the steps get. The settings of the application are not among them. */
const inherited =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_.*|TZ|TERM|COLORTERM|FORCE_COLOR|NO_COLOR|CI|TMPDIR|TEMP|TMP|NODE_OPTIONS|NODE_EXTRA_CA_CERTS|SSL_CERT_.*|XDG_.*|CHROMIUM_PATH|FIREFOX_PATH|npm_.*|.*_proxy)$/i;

/** Programs that the tests need, by their names in scripts/lib/programs.mjs. */
const needed = [
  ...["browser", "firefox", "webkit-driver", "minibrowser", "xvfb", "redis", "luacheck", "nginx"],
  ...["caddy", "openssl", "script", "prometheus", "promtool"],
  ...["systemd-analyze", "systemd-tmpfiles", "python3", "curl", "jq", "ip", "pgrep"],
];

const node = process.execPath;
const tool = (name) => join(root, "node_modules", ".bin", name);
const jest = [tool("jest"), "--json", `--outputFile=${reports.jest}`];
const steps = {
  advisories: checkAdvisories,
  // `next typegen` writes next-env.d.ts and the types of the routes.
  types: () =>
    runAll([tool("next"), "typegen"], [tool("tsc"), "--noEmit"], [tool("tsc"), "-p", deliveryServiceFolder]),
  "delivery service": () => runAll(["npm", "--prefix", deliveryServiceFolder, "test"]),
  prettier: () => runAll([tool("prettier"), "--check", "."]),
  lint: () => runAll(["npm", "run", "lint"]),
  jest: () => runTests(jest, reports.jest, countJest),
  build: () => runAll(["env", "BUILD_TYPES=checked", "npm", "run", "build"]),
  "build variants": () => runAll([node, "scripts/build-variants.mjs"]),
  "serverless build": buildServerless,
  e2e: () => runTests([node, "scripts/e2e.mjs"], reports.e2e, countPlaywright),
};

/** One entry per step: name, seconds, and the counts of its tests. A step without tests counts as one test. */
const results = [];
const env = cleanEnvironment();

await main(verify, { interruptedStatus: 130 });

async function verify() {
  requireNode();
  mkdirSync(folder, { recursive: true });
  await ensurePackages();
  await ensurePackages(deliveryServiceFolder);
  await ensurePrograms();

  await step("advisories");
  // Each of these sequences uses one core.
  await Promise.all([
    step("types").then(() => step("delivery service")),
    step("prettier").then(() => step("lint")),
  ]);
  // The unit tests often wait, so the builds use the rest of the processor.
  await Promise.all([
    step("jest"),
    step("build")
      .then(() => step("build variants"))
      .then(() => step("serverless build")),
  ]);
  await step("e2e");
  if (process.argv.includes("--all")) {
    for (const name of Object.keys(commands)) {
      if (!commands[name].step)
        await step(`npm run ${name}`, async () => countCommand(await runCommand(name, env)));
    }
  }
  return report();
}

async function ensurePrograms() {
  if (!(await ensureDeployedNode())) await step(`download Node ${deployedNode}`, () => one(false));
  // Optional, because it only makes the tests faster.
  if (!findProgram("headless-shell")) await installFromDebian([packageOf("headless-shell")]);
  const missing = needed.filter((name) => !findProgram(name));
  if (missing.length > 0) await installFromDebian(missing.map(packageOf));
  for (const name of missing) {
    if (!findProgram(name)) await step(`install ${packageOf(name)}`, () => one(false));
  }
}

async function step(name, work = steps[name]) {
  say(`\n=== ${name} ${"=".repeat(Math.max(0, 70 - name.length))}\n`);
  const started = Date.now();
  const counts = await work();
  const seconds = (Date.now() - started) / 1000;
  const passed = counts.failed === 0 && counts.skipped === 0;
  results.push({ name, seconds, result: passed ? "passed" : "FAILED", ...counts });
  say(`\n--- ${name}: ${passed ? "passed" : "FAILED"} in ${seconds.toFixed(1)} s`);
}

/** Counts a command that this machine cannot run as skipped, and in continuous integration as failed. */
function countCommand(status) {
  return status === cannotRun && !env.CI ? { passed: 0, failed: 0, skipped: 1 } : one(status === 0);
}

function one(passed) {
  return { passed: passed ? 1 : 0, failed: passed ? 0 : 1, skipped: 0 };
}

/** Runs commands, and stops after the first that fails. */
async function runAll(...list) {
  for (const [command, ...args] of list) {
    if ((await run(command, args, { env, timeoutMs: 15 * minutes })) !== 0) return one(false);
  }
  return one(true);
}

/**
 * Requests the advisories for runtime packages, and fails for high and critical severity. Prints a note, and passes, if the
 * registry has no advisories or does not respond. Also fails if the Node of the images is outdated.
 */
function checkAdvisories() {
  const args = ["audit", "--omit=dev", "--package-lock-only", "--json", "--fetch-retries=0"];
  const severe = [root, deliveryServiceFolder].map((cwd) => {
    const { stdout } = spawnSync("npm", args, { cwd, env, encoding: "utf8", timeout: minutes });
    const { metadata, message = "no response" } = JSON.parse(stdout || "{}");
    say(metadata ? JSON.stringify(metadata.vulnerabilities) : `NOT CHECKED: ${message}`);
    return metadata ? metadata.vulnerabilities.high + metadata.vulnerabilities.critical : 0;
  });
  const { stdout } = spawnSync("npm", ["view", "node", "time", "--json", "--fetch-retries=0"], {
    ...{ cwd: root, env, encoding: "utf8", timeout: minutes },
  });
  // Offline, npm prints an error object.
  const outdated = isOutdated(deployedNode, JSON.parse(stdout || "{}"));
  if (outdated)
    say(`Node ${deployedNode} of the images is outdated: scripts/lib/node-versions.mjs, Dockerfile`);
  return one(severe.every((count) => count === 0) && !outdated);
}

/** Builds with the tool of the serverless host. Without the tool, the step and the tests of its build are skipped. */
async function buildServerless() {
  const status = await run(node, ["scripts/build-serverless.mjs"], { env, timeoutMs: 15 * minutes });
  if (status !== 0) env.WITHOUT_SERVERLESS = "yes";
  return status === cannotRun ? { passed: 0, failed: 0, skipped: 1 } : one(status === 0);
}

/** Runs tests, and counts them in the report. Fails if the report is missing or names no test. */
async function runTests([command, ...args], path, count) {
  rmSync(path, { force: true });
  const status = await run(command, args, { env, timeoutMs: 40 * minutes });
  if (!existsSync(path)) return one(false);
  const counts = count(JSON.parse(readFileSync(path, "utf8")));
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

function countPlaywright({ stats }) {
  return { passed: stats.expected + stats.flaky, failed: stats.unexpected, skipped: stats.skipped };
}

/** Removes a developer's settings: exported variables, and .env files, which this variable makes Next.js ignore. */
function cleanEnvironment() {
  const entries = Object.entries(process.env).filter(([name]) => inherited.test(name));
  return { ...Object.fromEntries(entries), __NEXT_PROCESSED_ENV: "true" };
}

function report() {
  console.table(results.map(({ seconds, ...row }) => ({ ...row, seconds: Math.round(seconds) })));
  const total = (key) => results.reduce((sum, result) => sum + result[key], 0);
  say(`\n${total("passed")} passed, ${total("failed")} failed, ${total("skipped")} skipped`);
  return total("failed") === 0 && total("skipped") === 0 ? 0 : 1;
}
