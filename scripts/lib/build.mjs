import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { root, run, say, UserError } from "./processes.mjs";

const stampFile = join(root, ".data", "build-stamp");
const buildIdFile = join(root, ".next", "BUILD_ID");
/** The paths of .gitignore: output and settings are no sources. */
const notSources = [
  /(?:^|\/)(?:\.git|\.next|\.vercel|\.data|node_modules|coverage|shots|next-env\.d\.ts)$/,
  /(?:^|\/)\.env(?!\.example$)[^/]*$/,
  /\.(?:tsbuildinfo|log)$/,
  /^public\/(?:altcha|site)$/,
];

/** Generates the files in public/ that builds and the development server need. */
export async function makeAssets() {
  if ((await run("npm", ["run", "prebuild"])) !== 0)
    throw new UserError("The files of public/ could not be created; the error is above.");
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
 * Moves folders of the checkout away while `work` writes new ones, and restores them afterwards. `work` gets a copy of the
 * build cache, which saves most of the time of a build.
 *
 * @template Result
 * @param {string[]} names for example .next
 * @param {() => Promise<Result>} work
 * @returns {Promise<Result>}
 */
export async function withFoldersMoved(names, work) {
  const place = join(root, ".data", "aside");
  rmSync(place, { recursive: true, force: true });
  mkdirSync(place, { recursive: true });
  const moved = names.filter((name) => existsSync(join(root, name)));
  for (const name of moved) renameSync(join(root, name), join(place, name));
  const cache = join(place, ".next", "cache");
  if (existsSync(cache)) cpSync(cache, join(root, ".next", "cache"), { recursive: true });
  try {
    return await work();
  } finally {
    for (const name of names) rmSync(join(root, name), { recursive: true, force: true });
    for (const name of moved) renameSync(join(place, name), join(root, name));
    rmSync(place, { recursive: true, force: true });
  }
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
