import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Refusal, root, run, say } from "./run.mjs";

const stampFile = join(root, ".data", "build-stamp");
/** Filled by makeAssets: no sources, and not there yet when a fresh clone is looked at. */
const madeFolders = [join("public", "altcha", "/"), join("public", "site", "/")];
const buildIdFile = join(root, ".next", "BUILD_ID");

/** Files that a build puts into public/, and a run without a build needs as well. */
export async function makeAssets() {
  if ((await run("npm", ["run", "prebuild"])) !== 0) {
    throw new Refusal("The files of public/ could not be created; the error is above.");
  }
}

/** Builds, unless the build that is there was made of these sources and settings. */
export async function ensureBuild(configuration, env) {
  const wanted = await hashInputs(configuration);
  // The build's id tells a build that some other command made since.
  const stamp = () => `${wanted} ${readText(buildIdFile)}`;
  if (existsSync(buildIdFile) && readText(stampFile) === stamp()) return;
  // An interrupted build leaves a mixture of old and new behind, which no stamp may vouch for.
  rmSync(stampFile, { force: true });
  say("Building …");
  if ((await run("npm", ["run", "build"], { env })) !== 0) {
    throw new Refusal("The build failed; its output is above.");
  }
  mkdirSync(join(root, ".data"), { recursive: true });
  writeFileSync(stampFile, stamp());
}

function readText(path) {
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}

/** Everything that belongs to the project, package-lock.json included, by name and content; and the settings. */
async function hashInputs(configuration) {
  const hash = createHash("sha256").update(await settingsOfPages(configuration));
  for (const path of sourceFiles().sort()) {
    if (madeFolders.some((folder) => path.startsWith(folder))) continue;
    const full = join(root, path);
    // A deleted file that git still lists.
    if (!existsSync(full) || !statSync(full).isFile()) continue;
    const content = readFileSync(full);
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}

function sourceFiles() {
  try {
    const listing = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
      cwd: root,
      encoding: "utf8",
      maxBuffer: 64 * 1024 * 1024,
      stdio: ["ignore", "pipe", "ignore"],
    });
    const files = listing.split("\0").filter(Boolean);
    if (files.length > 0) return files;
  } catch {
    // An unpacked archive, or no git: look for ourselves.
  }
  return walk("");
}

const notSources = new Set([".git", ".next", ".data", "node_modules", "coverage", "shots", "next-env.d.ts"]);

function walk(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (notSources.has(entry.name) || entry.name.endsWith(".tsbuildinfo")) return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? walk(path) : [path];
  });
}

/** The settings that stand in prerendered pages; the application itself says which they are. */
async function settingsOfPages(configuration) {
  const { tsImport } = await import("tsx/esm/api");
  const { buildSettingNames } = await tsImport("../../lib/config/build-settings.ts", import.meta.url);
  const publicNames = Object.keys(configuration).filter((name) => name.startsWith("NEXT_PUBLIC_"));
  return JSON.stringify(configuration, [...buildSettingNames, ...publicNames.sort()]);
}
