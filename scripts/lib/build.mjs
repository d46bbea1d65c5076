import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root, run, UserError } from "./processes.mjs";

const stampFile = join(root, ".data", "build-stamp");
const buildIdFile = join(root, ".next", "BUILD_ID");
/** What a build adds to its sources, and settings. */
const notSources = /^public\/(?:altcha|site|ads\.txt|licenses\.txt)|(?:^|\/)\.env/;

/** Returns the names of the files and folders that a build needs: the lines with "!" in .dockerignore. */
export function buildInputs() {
  const lines = readFileSync(join(root, ".dockerignore"), "utf8").split(/\r?\n/);
  return lines.filter((each) => each.startsWith("!")).map((each) => each.slice(1));
}

/** Builds, unless the existing build has the same sources and settings. */
export async function ensureBuild(configuration, env) {
  const inputs = await hashInputs(configuration);
  const readText = (path) => (existsSync(path) ? readFileSync(path, "utf8") : undefined);
  // Another command can have built since. Then the build id differs.
  const stamp = () => `${inputs} ${readText(buildIdFile)}`;
  if (existsSync(buildIdFile) && readText(stampFile) === stamp()) return;
  // An interrupted build must not keep the stamp of the build before.
  rmSync(stampFile, { force: true });
  console.log("Building …");
  if ((await run("npm", ["run", "build"], { env })) !== 0)
    throw new UserError("The build failed; its output is above.");
  mkdirSync(join(root, ".data"), { recursive: true });
  writeFileSync(stampFile, stamp());
}

/** Returns the hash of the settings that pages show, and of the names and contents of all sources. */
async function hashInputs(configuration) {
  const { require } = await import("tsx/cjs/api");
  const { captureBuildSettings } = require("../../lib/config/build-settings.ts", import.meta.url);
  const hash = createHash("sha256").update(captureBuildSettings(configuration));
  const files = buildInputs().flatMap((name) =>
    statSync(join(root, name)).isFile()
      ? [name]
      : readdirSync(join(root, name), { recursive: true, encoding: "utf8" }).map((path) => join(name, path)),
  );
  for (const path of files.sort()) {
    if (notSources.test(path) || !statSync(join(root, path)).isFile()) continue;
    hash.update(`${path}\0`).update(readFileSync(join(root, path)));
  }
  return hash.digest("hex");
}

/**
 * Copies the sources and packages of this checkout, and returns the folder. A build there leaves the build of the checkout
 * alone, which a running site may use. The folder keeps its build cache from one call to the next.
 */
export async function copyCheckout() {
  const copy = join(root, ".data", "checkout");
  mkdirSync(join(copy, ".next"), { recursive: true });
  const [cache, own] = [root, copy].map((folder) => join(folder, ".next", "cache"));
  for (const name of readdirSync(copy))
    if (name !== ".next") rmSync(join(copy, name), { recursive: true, force: true });
  // Links to the packages instead of copies, because the packages have many files.
  for (const args of [
    ["-a", ...buildInputs(), "vercel.json", copy],
    ["-al", "node_modules", copy],
    // The cache of the checkout's build makes the first build here faster.
    ...(existsSync(cache) && !existsSync(own) ? [["-a", cache, own]] : []),
  ])
    if ((await run("cp", args)) !== 0)
      throw new UserError("The checkout could not be copied; the error is above.");
  for (const name of ["altcha", "site", "ads.txt", "licenses.txt"])
    rmSync(join(copy, "public", name), { recursive: true, force: true });
  return copy;
}
