/*
 * npm run release: builds with the settings of the machine, adds the output to the folder of releases, makes it the current
 * release, restarts the process, and waits until the new process responds. After a failure or Ctrl-C, it restores the previous
 * release. docs/deploy-systemd.md describes the folders.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { ensurePackages, requireNode } from "./lib/install.mjs";
import { Releases } from "./lib/releases.mjs";
import { main, pause, root, run, say, UserError } from "./lib/processes.mjs";
import { readSettingsFile } from "./lib/settings-file.mjs";

const usage = `npm run release -- [options]
  --home FOLDER      folder of the releases (/opt/boost50)
  --env FILE         environment file of the site (/etc/boost50.env)
  --restart COMMAND  ("systemctl restart boost50")
  --reload COMMAND   run when paths or headers changed ("systemctl reload caddy")
  --health ADDRESS   health address of the process, not of the web server (http://127.0.0.1:3000/api/health)
  --within SECONDS   time limit for the new process to respond (60)
  --build FOLDER     use this standalone build instead of building
  --back             go to the release before the current one`;

let options;
let releases;
/** Restores the previous release. Undefined before the switch, and after the new process has responded. */
let undo;

await main(release, { cleanUp: () => undo?.(), interruptedStatus: 1 });

async function release() {
  options = readOptions();
  // The user of the unit and the web server must be able to read the copied files.
  process.umask(0o022);
  releases = new Releases(resolve(options.home));
  if (options.back) {
    const id = releases.before();
    if (!id) throw new UserError(`There is no release before the current one in ${options.home}.`);
    await goTo(id);
  } else {
    // Reports wrong lines before the build.
    const settings = readSettingsFile(options.env);
    const output = options.build ? resolve(options.build) : await build(settings);
    const id = `${new Date().toISOString().replace(/[-:]|\.\d+/g, "")}-${buildIdOf(output)}`;
    releases.add(id, output);
    await goTo(id, { isNew: true });
  }
  releases.prune();
  return 0;
}

function readOptions() {
  const text = (value) => ({ type: "string", default: value });
  try {
    return parseArgs({
      options: {
        home: text("/opt/boost50"),
        env: text("/etc/boost50.env"),
        restart: text("systemctl restart boost50"),
        reload: text("systemctl reload caddy"),
        health: text("http://127.0.0.1:3000/api/health"),
        within: text("60"),
        build: { type: "string" },
        back: { type: "boolean" },
      },
    }).values;
  } catch (error) {
    throw new UserError(`${error.message}\n\n${usage}`);
  }
}

/** Builds with the settings that pages show. Ignores secrets, exported variables and .env files. */
async function build(settings) {
  requireNode();
  await ensurePackages();
  const { tsImport } = await import("tsx/esm/api");
  const { buildSettingNames } = await tsImport("../lib/config/build-settings.ts", import.meta.url);
  const shown = Object.fromEntries(buildSettingNames.map((name) => [name, settings[name] ?? ""]));
  const env = { ...process.env, ...shown, BUILD_OUTPUT: "standalone", __NEXT_PROCESSED_ENV: "true" };
  // `next build` sets NODE_ENV.
  delete env.NODE_ENV;
  if ((await run("npm", ["run", "build"], { env })) !== 0)
    throw new UserError("The build failed; its output is above. The running site is unchanged.");
  return join(root, ".next", "standalone");
}

function buildIdOf(output) {
  const file = join(output, ".next", "BUILD_ID");
  if (existsSync(file) && existsSync(join(output, "web", "assets"))) return readFileSync(file, "utf8").trim();
  throw new UserError(
    `${output} is not a standalone build. Make one with: BUILD_OUTPUT=standalone npm run build`,
  );
}

async function goTo(id, { isNew = false } = {}) {
  const previous = releases.current();
  const reload = releases.needsReload(previous, id);
  undo = () => goBack(previous, { failed: isNew ? id : undefined, reload });
  releases.switchTo(id);
  if ((await run("/bin/sh", ["-c", options.restart])) !== 0)
    throw new UserError(`The release ${id} could not be started: "${options.restart}" failed.`);
  if (!(await responds(id)))
    throw new UserError(`The release ${id} did not answer at ${options.health} within ${options.within} s.`);
  if (reload) {
    // A reload of Caddy aborts requests that wait for the process.
    await pause(1_000);
    if ((await run("/bin/sh", ["-c", options.reload])) !== 0)
      throw new UserError(`The web server did not reload for release ${id}: "${options.reload}" failed.`);
  }
  undo = undefined;
  say(`The release ${id} runs${previous ? `, after ${previous}` : ""}.`);
}

/** Runs a command synchronously, because an ending script starts no more child processes. */
async function goBack(previous, { failed, reload }) {
  undo = undefined;
  if (!previous) return say("There is no release before it: nothing was switched back.");
  releases.switchTo(previous);
  if (failed) releases.remove(failed);
  say(`Switched back to ${previous}, and restarting …`);
  const succeeds = (command) =>
    spawnSync("/bin/sh", ["-c", command], { stdio: ["ignore", "inherit", "inherit"] }).status === 0;
  const runs =
    succeeds(options.restart) && (await responds(previous)) && (!reload || succeeds(options.reload));
  say(runs ? `The release ${previous} runs again.` : `The release ${previous} does not run either.`);
}

/** Returns whether the process of this release responds in time. Compares the build ids, because the old process also responds. */
async function responds(id) {
  const build = buildIdOf(releases.folder(id));
  const deadline = Date.now() + Number(options.within) * 1_000;
  while (Date.now() < deadline) {
    const health = await fetchText(options.health);
    if (health && (await fetchText(new URL("/", options.health)))?.includes(build)) return true;
    await pause(250);
  }
  return false;
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
