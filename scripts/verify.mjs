/*
 * npm run verify: everything that must hold before a change is done. Installs what is missing, runs every step
 * even after one failed, and is green only when everything ran: a missing Redis or browser, or a skipped test,
 * is a failure.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { deliveryServiceFolder, ensurePackages, installFromDebian, requireNode } from "./lib/install.mjs";
import { deployedNode, ensureDeployedNode } from "./lib/node-versions.mjs";
import { findProgram, packageOf } from "./lib/programs.mjs";
import { main, root, run, say } from "./lib/run.mjs";

const minutes = 60_000;
/** The status of scripts/build-serverless.mjs where its tool cannot be had. */
const toolMissing = 75;
const folder = join(root, ".data", "verify");
const jestResults = join(folder, "jest.json");
const e2eResults = join(folder, "e2e.json");
const e2eAgainResults = join(folder, "e2e-again.json");
/** Where more files fail than these, it is not for want of time. */
const mostFilesAgain = 3;
const deliveryServiceResults = join(folder, "delivery-service.tap");

/** Variables that the steps may see; the application's own settings are not among them. */
const kept =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_.*|TZ|TERM|COLORTERM|FORCE_COLOR|NO_COLOR|CI|TMPDIR|TEMP|TMP|NODE_OPTIONS|NODE_EXTRA_CA_CERTS|SSL_CERT_.*|XDG_.*|CHROMIUM_PATH|FIREFOX_PATH|npm_.*|.*_proxy)$/i;

/** What the tests need besides npm packages; see scripts/lib/programs.mjs. */
const needed = [
  "browser",
  "firefox",
  "webkit-driver",
  "minibrowser",
  "xvfb",
  "redis",
  "luacheck",
  "nginx",
  "nginx-brotli",
  "caddy",
  "openssl",
  "script",
  "prometheus",
  "promtool",
  "systemd-analyze",
  "systemd-tmpfiles",
];

/** One line of the final table: counts of tests, or one passed or failed for a step that is no test. */
const outcomes = [];
/** Names of tests that failed and then passed. */
const unsteady = [];

await main(verify, { interruptedStatus: 130 });

async function verify() {
  requireNode();
  mkdirSync(folder, { recursive: true });
  await ensurePackages();
  await ensurePackages(deliveryServiceFolder);
  await ensurePrograms();

  const checkDependencies = [process.execPath, "scripts/check-dependencies.mjs"];
  await step("supply chain", () =>
    programs(checkDependencies, [...checkDependencies, deliveryServiceFolder]),
  );
  // Each of these keeps one core busy: side by side they take half the time.
  await Promise.all([
    // Routes and next-env.d.ts are generated: a clean clone has none yet.
    step("types", () =>
      commands(["next", "typegen"], ["tsc", "--noEmit"], ["tsc", "-p", deliveryServiceFolder]),
    ).then(() => step("delivery service", testDeliveryService)),
    step("prettier", () => commands(["prettier", "--check", "."])).then(() =>
      step("lint", () => programs(["npm", "run", "lint"])),
    ),
  ]);
  await step("jest", () =>
    tests(jestResults, ["node_modules/jest/bin/jest.js", "--json", `--outputFile=${jestResults}`]),
  );
  // Not `next build`: what else belongs to a build is part of what is tested. The types were checked.
  const build = () => programs(["env", "BUILD_TYPES=checked", "npm", "run", "build"]);
  // What is fixed at build is tested on builds of its own.
  const buildVariants = () => programs([process.execPath, "scripts/build-variants.mjs"]);
  const built = (await step("build", build)) && (await step("build variants", buildVariants));
  const withServerless = await step("serverless build", buildServerless);
  const e2eSettings = withServerless ? {} : { WITHOUT_SERVERLESS: "yes" };
  await step("e2e", () => (built ? endToEnd(e2eSettings) : notRun("a build is missing")));
  return report();
}

/** The example's own tests, with Node's own runner. */
async function testDeliveryService() {
  rmSync(deliveryServiceResults, { force: true });
  const reporters = { spec: "stdout", tap: deliveryServiceResults };
  const args = Object.entries(reporters).flatMap(([reporter, destination]) => [
    `--test-reporter=${reporter}`,
    `--test-reporter-destination=${destination}`,
  ]);
  const options = { cwd: deliveryServiceFolder, env: environment(), timeoutMs: 5 * minutes };
  const status = await run(process.execPath, ["--test", ...args], options);
  const report = existsSync(deliveryServiceResults) ? readFileSync(deliveryServiceResults, "utf8") : "";
  const count = (name) => Number(new RegExp(`^# ${name} (\\d+)$`, "m").exec(report)?.[1] ?? 0);
  const passedCount = count("pass");
  const failed = count("fail") + count("cancelled");
  const allWell = status === 0 && passedCount > 0;
  return {
    passedCount,
    failed: allWell ? failed : Math.max(failed, 1),
    skipped: count("skipped") + count("todo"),
  };
}

/** With the host's own tool, which is fetched where it can be. */
async function buildServerless() {
  const args = ["scripts/build-serverless.mjs"];
  const status = await run(process.execPath, args, { env: environment(), timeoutMs: 15 * minutes });
  if (status !== toolMissing) return single(status === 0);
  say("Skipped: the serverless host's tool cannot be had here, so nothing is tested on its build.");
  return { passedCount: 0, failed: 0, skipped: 1 };
}

/** Whatever cannot be had fails as a step of its own. */
async function ensurePrograms() {
  if (!(await ensureDeployedNode())) {
    await step(`get Node ${deployedNode}`, () => notRun("it could not be fetched"));
  }
  // Makes the tests faster; without it they run in the browser itself.
  if (!findProgram("headless-shell")) await installFromDebian([packageOf("headless-shell")]);
  const missing = needed.filter((name) => !findProgram(name));
  if (missing.length === 0) return;
  await installFromDebian(missing.map(packageOf));
  for (const name of missing) {
    if (!findProgram(name))
      await step(`get ${packageOf(name)}`, () => notRun("it could not be installed here"));
  }
}

async function step(name, work) {
  say(`\n=== ${name} ${"=".repeat(Math.max(0, 70 - name.length))}\n`);
  const started = Date.now();
  const counts = await work();
  const seconds = (Date.now() - started) / 1000;
  const passed = counts.failed === 0 && counts.skipped === 0;
  outcomes.push({ name, passed, seconds, ...counts });
  say(`\n--- ${name}: ${passed ? "passed" : "FAILED"} in ${seconds.toFixed(1)} s`);
  return passed;
}

function single(passed) {
  return { passedCount: passed ? 1 : 0, failed: passed ? 0 : 1, skipped: 0 };
}

function notRun(reason) {
  say(`Not run: ${reason}.`);
  return single(false);
}

/** Commands of installed packages, one after the other, until one fails. */
function commands(...list) {
  return programs(...list.map(([name, ...args]) => [join(root, "node_modules", ".bin", name), ...args]));
}

/** The same with programs of the system. */
async function programs(...list) {
  for (const [command, ...args] of list) {
    if ((await run(command, args, { env: environment(), timeoutMs: 15 * minutes })) !== 0)
      return single(false);
  }
  return single(true);
}

/**
 * The end-to-end tests. Two cores carry three of their files at a time, so that a test may fail for want of time alone: the
 * files of a few failed tests are run once more by themselves. What fails again has failed; what passes is named at the end.
 */
async function endToEnd(settings) {
  const counts = await tests(e2eResults, ["scripts/e2e.mjs"], settings);
  const failed = failedTests(readReport(e2eResults));
  const files = [...new Set(failed.map(({ file }) => file))];
  if (counts.failed !== failed.length || files.length === 0 || files.length > mostFilesAgain) return counts;
  say(`\nRunning failed files again, alone: ${files.join(", ")}`);
  const again = await tests(e2eAgainResults, ["scripts/e2e.mjs", ...files], {
    ...settings,
    E2E_RESULTS: e2eAgainResults,
  });
  const stillFailing = failedTests(readReport(e2eAgainResults)).map(({ name }) => name);
  if (again.skipped > 0 || again.failed !== stillFailing.length) return counts;
  unsteady.push(...failed.map(({ name }) => name).filter((name) => !stillFailing.includes(name)));
  return {
    ...counts,
    passedCount: counts.passedCount + counts.failed - again.failed,
    failed: again.failed,
  };
}

function failedTests(report) {
  const all = report?.testResults ?? [];
  return all.flatMap(({ name: path, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === "failed")
      .map(({ fullName }) => ({ name: fullName, file: relative(root, path) })),
  );
}

/** Runs tests and counts what their report says; a run without a report, or with no test in it, has failed. */
async function tests(results, args, settings = {}) {
  rmSync(results, { force: true });
  const env = { ...environment(), ...settings };
  const status = await run(process.execPath, args, { env, timeoutMs: 40 * minutes });
  const report = readReport(results);
  const counts = {
    passedCount: report?.numPassedTests ?? 0,
    // A test file that could not even be loaded has no tests to count.
    failed: (report?.numFailedTests ?? 0) + (report?.numRuntimeErrorTestSuites ?? 0),
    skipped: (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0),
  };
  for (const name of skippedTests(report)) say(`Skipped: ${name}`);
  const nothingRan = counts.passedCount + counts.failed === 0;
  if (counts.failed === 0 && (status !== 0 || nothingRan || !report?.success)) counts.failed = 1;
  return counts;
}

function skippedTests(report) {
  const all = report?.testResults.flatMap(({ assertionResults }) => assertionResults) ?? [];
  return all
    .filter(({ status }) => status === "pending" || status === "todo")
    .map(({ fullName }) => fullName);
}

function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}

/** Without the developer's own settings, neither exported ones nor .env files: they are not what is verified. */
function environment() {
  const clean = Object.fromEntries(Object.entries(process.env).filter(([name]) => kept.test(name)));
  // Next.js takes .env files for loaded already.
  return { ...clean, __NEXT_PROCESSED_ENV: "true" };
}

function report() {
  const width = Math.max(...outcomes.map(({ name }) => name.length), 4);
  say(`\n${"step".padEnd(width)}  result  seconds  passed  failed  skipped`);
  for (const { name, passed, seconds, passedCount, failed, skipped } of outcomes) {
    const cells = [
      name.padEnd(width),
      (passed ? "passed" : "FAILED").padEnd(6),
      seconds.toFixed(1).padStart(7),
      String(passedCount).padStart(6),
      String(failed).padStart(6),
      String(skipped).padStart(7),
    ];
    say(cells.join("  "));
  }
  for (const name of unsteady) say(`\nFlaky: failed in the full run, passed alone: ${name}`);
  const total = (key) => outcomes.reduce((sum, outcome) => sum + outcome[key], 0);
  say(`\n${total("passedCount")} passed, ${total("failed")} failed, ${total("skipped")} skipped`);
  return total("failed") === 0 && total("skipped") === 0 ? 0 : 1;
}
