import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { root, run, say } from "./processes.mjs";

/** The version of Node that guides and images name. renovate.json updates it, and Dockerfile. */
export const deployedNode = "24.21.0";

const longestLagMs = 92 * 24 * 3_600_000;

/**
 * Returns whether a version is at least three months older than the newest one of its major version.
 *
 * @param {string} version
 * @param {Record<string, string>} times release times by version, as `npm view node time --json` prints them
 */
export function isOutdated(version, times) {
  const [major] = version.split(".");
  const ofMajor = Object.keys(times).filter((each) => each.startsWith(`${major}.`));
  const newest = ofMajor.sort((a, b) => a.localeCompare(b, "en", { numeric: true })).at(-1);
  return newest !== undefined && Date.parse(times[newest]) - Date.parse(times[version]) > longestLagMs;
}

/** Path of that Node after the download. Only tests run it. */
export const deployedNodePath = join(root, ".data", "programs", `node-${deployedNode}`, "bin", "node");

/** Downloads that Node from npm's registry, unless it exists. Returns whether it exists. */
export async function ensureDeployedNode() {
  if (existsSync(deployedNodePath)) return true;
  const target = dirname(dirname(deployedNodePath));
  mkdirSync(dirname(target), { recursive: true });
  const folder = mkdtempSync(join(dirname(target), "incoming-"));
  try {
    say(`Downloading Node ${deployedNode} …`);
    const name = `node-${process.platform}-${process.arch}@${deployedNode}`;
    if ((await run("npm", ["pack", name, "--silent", "--pack-destination", folder])) !== 0) return false;
    const [archive = ""] = readdirSync(folder);
    const extract = ["-xzf", join(folder, archive), "-C", folder, "package/bin/node"];
    if ((await run("tar", extract)) !== 0) return false;
    rmSync(target, { recursive: true, force: true });
    renameSync(join(folder, "package"), target);
    return true;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
