/*
 * npm run release: builds with the settings of a file (--env), adds the output to the folder of releases, tries it on another port,
 * makes it the current release, restarts the process, and waits until the new process responds. After a failure or Ctrl-C, it
 * restores the previous release. docs/deploy-systemd.md describes the folders.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { ensurePackages, requireNode } from "./lib/install.mjs";
import { buildInputs } from "./lib/build.mjs";
import { Releases } from "./lib/releases.mjs";
import { freePort, refuseBlockedPort, untilHealthy } from "./lib/ports.mjs";
import { main, pause, root, run, startInBackground, stop, UserError } from "./lib/processes.mjs";
import { readSettingsFile } from "./lib/settings-file.mjs";

/** The options: name, kind of the value, explanation, and default. */
const optionRows = [
  ["home", "FOLDER", "folder of the releases", "/opt/boost50"],
  ["env", "FILE", "environment file of the site", "/etc/boost50.env"],
  ["restart", "COMMAND", "starts the current release", "systemctl restart boost50"],
  ["alive", "COMMAND", "fails when the process has ended", "systemctl is-active --quiet boost50"],
  ["log", "COMMAND", "prints the last lines of the log", "journalctl -u boost50 -n 20 -o cat"],
  ["reload", "COMMAND", "run when paths or headers changed", "systemctl reload caddy"],
  ["health", "ADDRESS", "of the process, not of the web server", "http://127.0.0.1:3000/api/health"],
  ["within", "SECONDS", "time limit for the new process to respond", "60"],
  ["build", "FOLDER", "use this standalone build instead of building"],
  ["back", "", "return to the release that ran before the current one"],
  ["uncommitted", "", "build also when files have uncommitted changes"],
  ["demo-build", "", "release pages of a demo also when the settings are live"],
  ["help", "", "print this text"],
];
const usage = `npm run release -- [options]\n${optionRows
  .map(([name, value, text, preset]) => {
    const option = `${name} ${value}`.padEnd(16);
    return `  --${option} ${text}${preset ? ` ("${preset}")` : ""}`;
  })
  .join("\n")}`;

/** A process that starts finds a port in use within this time. */
const portCheckMs = 3_000;

let options;
let releases;
/** The settings of the site, from its environment file. */
let settings;
/** Undoes what this run has changed. Undefined before it adds a release, and after the new process has responded. */
let undo;

await main(release, { cleanUp: () => undo?.() });

async function release() {
  options = readOptions();
  if (options.help) return console.log(usage);
  // The user of the unit and the web server must be able to read the copied files.
  process.umask(0o022);
  releases = new Releases(resolve(options.home));
  releases.lock();
  await refuseBlockedPort(options.health);
  // Reports wrong lines before the build.
  settings = readSettingsFile(options.env);
  if (options.back) {
    const id = releases.before();
    if (!id) throw new UserError(`There is no release before the current one in ${options.home}.`);
    await goTo(id);
  } else {
    const output = options.build ? resolve(options.build) : await build();
    const id = `${new Date().toISOString().replace(/[-:]|\.\d+/g, "")}-${buildIdOf(output)}`;
    if (!options["demo-build"]) refuseDemoBuild(output);
    undo = () => releases.remove(id);
    releases.add(id, output);
    await goTo(id, { isNew: true });
  }
  releases.prune();
  return 0;
}

function readOptions() {
  const config = optionRows.map(([name, value, , preset]) => [
    name,
    value ? { type: "string", default: preset } : { type: "boolean" },
  ]);
  try {
    return parseArgs({ options: Object.fromEntries(config) }).values;
  } catch (error) {
    throw new UserError(`${error.message}\n\n${usage}`);
  }
}

/** Builds with those settings of the file that pages show. Ignores other files and exported variables with settings. */
async function build() {
  requireNode();
  if (!options.uncommitted) refuseUncommittedChanges();
  await ensurePackages();
  const { require } = await import("tsx/cjs/api");
  const { buildSettingNames } = require("../lib/config/build-settings.ts", import.meta.url);
  const shown = Object.fromEntries(buildSettingNames.map((name) => [name, settings[name] ?? ""]));
  const env = { ...process.env, ...shown, BUILD_OUTPUT: "standalone", __NEXT_PROCESSED_ENV: "true" };
  // The script "build" of package.json and Vite set it.
  delete env.NODE_ENV;
  if ((await run("npm", ["run", "build"], { env })) !== 0)
    throw new UserError("The build failed; its output is above. The running site is unchanged.");
  return join(root, ".next", "standalone");
}

/** Refuses changes of the files that a build needs. */
function refuseUncommittedChanges() {
  // As root, git rejects the checkout of another user without safe.directory.
  const args = ["-c", "safe.directory=*", "status", "--short", "--", ...buildInputs()];
  const { stdout } = spawnSync("git", args, { cwd: root, encoding: "utf8" });
  if (stdout)
    throw new UserError(
      `These files have uncommitted changes:\n${stdout}Commit or undo them, or add --uncommitted.`,
    );
}

/** Refuses pages that call the site a demo while it delivers likes. */
function refuseDemoBuild(output) {
  // The same rule as getDemoMode. --build also works without npm packages, which TypeScript needs.
  const isLive = ({ LIKE_DELIVERY, POST_LOOKUP, DEPLOYMENT }) =>
    LIKE_DELIVERY === "webhook" && (POST_LOOKUP || "sandbox") !== "sandbox" && DEPLOYMENT !== "trial";
  const shown = JSON.parse(readFileSync(join(output, ".next", "build-settings.json"), "utf8"));
  if (isLive(settings) && !isLive(shown))
    throw new UserError(
      `${output} is the build of a demo, and ${options.env} is for live delivery. Build with these settings, or add --demo-build.`,
    );
}

function buildIdOf(output) {
  const file = join(output, ".next", "BUILD_ID");
  if (existsSync(file) && existsSync(join(output, "web", "assets"))) return readFileSync(file, "utf8").trim();
  throw new UserError(
    `${output} is not a standalone build. Make one with: BUILD_OUTPUT=standalone npm run build`,
  );
}

async function goTo(id, { isNew = false } = {}) {
  await tryOut(id);
  const previous = releases.current();
  const reload = releases.needsReload(previous, id);
  undo = () => goBack(previous, { failed: isNew ? id : undefined, reload });
  releases.switchTo(id);
  if ((await run("/bin/sh", ["-c", options.restart])) !== 0)
    throw new UserError(`The release ${id} could not be started: "${options.restart}" failed.`);
  const failure = await findFailure(id);
  if (failure) {
    await run("/bin/sh", ["-c", options.log]);
    throw new UserError(`The release ${id} ${failure}. The last lines of its log are above.`);
  }
  if (reload) {
    // A reload of Caddy aborts requests that wait for the process.
    await pause(1_000);
    if ((await run("/bin/sh", ["-c", options.reload])) !== 0)
      throw new UserError(`The web server did not reload for release ${id}: "${options.reload}" failed.`);
  }
  undo = undefined;
  console.log(`The release ${id} runs${previous ? `, after ${previous}` : ""}.`);
}

/**
 * Starts the release beside the running one, with the site's settings on another port, so that visitors notice no failure.
 * Root starts it as the user nobody, who can read as little as the dynamic user of the unit.
 */
async function tryOut(id) {
  const port = await freePort();
  const isRoot = process.getuid?.() === 0;
  const trial = startInBackground(process.execPath, ["server.js"], {
    cwd: releases.folder(id),
    ...(isRoot && { uid: 65_534, gid: 65_534 }),
    env: {
      PATH: process.env.PATH,
      NODE_ENV: "production",
      ...(isRoot ? readSecretFiles(settings) : settings),
      HOSTNAME: "127.0.0.1",
      PORT: `${port}`,
    },
  });
  const health = `http://127.0.0.1:${port}/api/health`;
  const responds = await untilHealthy(health, trial, options.within * 1_000);
  const failure = trial.hasEnded() ? "ended" : `did not answer within ${options.within} s`;
  await stop(trial);
  if (responds) return;
  throw new UserError(
    `The release ${id} ${failure} in a trial on another port; the running site is unchanged. It wrote:\n` +
      trial.output().trim().split("\n").slice(-20).join("\n"),
  );
}

/** Replaces the names of secret files by their contents, because only the unit's user may be able to read the files. */
function readSecretFiles(variables) {
  const read = ([name, path]) =>
    name.endsWith("_FILE") && existsSync(path)
      ? [name.slice(0, -"_FILE".length), readFileSync(path, "utf8").trim()]
      : [name, path];
  return Object.fromEntries(Object.entries(variables).map(read));
}

/** Runs a command synchronously, because an ending script starts no more child processes. */
async function goBack(previous, { failed, reload }) {
  undo = undefined;
  if (!previous) return console.log("There is no release before it: nothing was switched back.");
  releases.switchTo(previous);
  if (failed) releases.remove(failed);
  console.log(`Switched back to ${previous}, and restarting …`);
  const succeeds = (command) =>
    spawnSync("/bin/sh", ["-c", command], { stdio: ["ignore", "inherit", "inherit"] }).status === 0;
  const runs =
    succeeds(options.restart) && !(await findFailure(previous)) && (!reload || succeeds(options.reload));
  console.log(runs ? `The release ${previous} runs again.` : `The release ${previous} does not run either.`);
}

/**
 * Waits until the process of this release responds. Returns the reason if it does not. Compares the build ids, and looks at the
 * process twice, because another process could respond: then this one ends when it finds the port in use.
 */
async function findFailure(id) {
  const build = buildIdOf(releases.folder(id));
  const deadline = Date.now() + options.within * 1_000;
  let responses = 0;
  while (Date.now() < deadline) {
    const health = await fetchText(options.health);
    if (health && (await fetchText(new URL("/", options.health)))?.includes(build)) responses += 1;
    if (spawnSync("/bin/sh", ["-c", options.alive]).status !== 0) return "ended";
    if (responses > 1) return undefined;
    await pause(responses > 0 ? portCheckMs : 250);
  }
  return `did not answer at ${options.health} within ${options.within} s`;
}

/** Returns the text of a response with status 200, otherwise undefined. */
async function fetchText(address) {
  try {
    const response = await fetch(address, { redirect: "manual", signal: AbortSignal.timeout(5_000) });
    const text = await response.text();
    return response.status === 200 ? text : undefined;
  } catch {
    return undefined;
  }
}
