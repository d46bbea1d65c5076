import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root, run, say, UserError } from "./processes.mjs";

const stampFile = join(root, ".data", "build-stamp");
const buildIdFile = join(root, ".next", "BUILD_ID");
/** The same paths as in .gitignore: output and settings are no sources. */
const notSources = [
  /(?:^|\/)(?:\.git|\.next|\.vercel|\.data|node_modules|coverage|shots|next-env\.d\.ts)$/,
  /(?:^|\/)\.env(?!\.example$)[^/]*$/,
  /\.(?:tsbuildinfo|log)$/,
  /^public\/(?:altcha|site|ads\.txt)$/,
];

/** Runs the first two steps of a build, which the development server also needs. */
export async function runPrebuild() {
  if ((await run("npm", ["run", "prebuild"])) !== 0)
    throw new UserError("npm run prebuild failed; the error is above.");
}

/** Builds, unless the existing build has the same sources and settings. */
export async function ensureBuild(configuration, env) {
  const inputs = await hashInputs(configuration);
  // Another command can have built since. Then the build id differs.
  const stamp = () => `${inputs} ${readText(buildIdFile)}`;
  if (existsSync(buildIdFile) && readText(stampFile) === stamp()) return;
  // An interrupted build must not keep the stamp of the build before.
  rmSync(stampFile, { force: true });
  say("Building …");
  if ((await run("npm", ["run", "build"], { env })) !== 0)
    throw new UserError("The build failed; its output is above.");
  mkdirSync(join(root, ".data"), { recursive: true });
  writeFileSync(stampFile, stamp());
}

/**
 * Copies the sources and packages of this checkout, and returns the folder. A build there leaves the build of the checkout
 * alone, which a running site may use. The folder keeps its build cache from one call to the next.
 */
export async function copyCheckout() {
  const copy = join(root, ".data", "checkout");
  mkdirSync(copy, { recursive: true });
  for (const name of readdirSync(copy))
    if (name !== ".next") rmSync(join(copy, name), { recursive: true, force: true });
  for (const path of sourceFiles()) cpSync(join(root, path), join(copy, path));
  // Links instead of copies, because the packages have many files.
  if ((await run("cp", ["-al", "node_modules", copy])) !== 0)
    throw new UserError("The packages could not be copied; the error is above.");
  return copy;
}

function readText(path) {
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}

/** Returns the hash of the settings, and of the names and contents of all sources. */
async function hashInputs(configuration) {
  const hash = createHash("sha256").update(await pageSettings(configuration));
  for (const path of sourceFiles().sort()) {
    const content = readFileSync(join(root, path));
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}

function sourceFiles(folder = "") {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (notSources.some((pattern) => pattern.test(path))) return [];
    if (entry.isDirectory()) return sourceFiles(path);
    return entry.isFile() ? [path] : [];
  });
}

/** Returns the settings that prerendered pages contain. */
async function pageSettings(configuration) {
  const { require } = await import("tsx/cjs/api");
  const { buildSettingNames } = require("../../lib/config/build-settings.ts", import.meta.url);
  const publicNames = Object.keys(configuration).filter((name) => name.startsWith("NEXT_PUBLIC_"));
  return JSON.stringify(configuration, [...buildSettingNames, ...publicNames.sort()]);
}
