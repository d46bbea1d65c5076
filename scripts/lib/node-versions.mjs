import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { root, run, say } from "./run.mjs";

/** The Node that guides and images name, beside the oldest one that is supported; renovate.json follows it. */
export const deployedNode = "24.9.0";

/** Where it lies once it was fetched: tests start it, and nothing of the product does. */
export const deployedNodePath = join(root, ".data", "programs", `node-${deployedNode}`, "bin", "node");

/**
 * Fetches that Node from npm's registry, which has the plain program in a package for each platform, unless it is there.
 * Tells whether it is now.
 */
export async function ensureDeployedNode() {
  if (existsSync(deployedNodePath)) return true;
  const place = dirname(dirname(deployedNodePath));
  mkdirSync(dirname(place), { recursive: true });
  const folder = mkdtempSync(join(dirname(place), "incoming-"));
  try {
    say(`Fetching Node ${deployedNode} …`);
    const name = `node-${process.platform}-${process.arch}@${deployedNode}`;
    if ((await run("npm", ["pack", name, "--silent", "--pack-destination", folder])) !== 0) return false;
    const [archive] = readdirSync(folder);
    const unpack = ["-xzf", join(folder, archive ?? ""), "-C", folder, "package/bin/node"];
    if ((await run("tar", unpack)) !== 0) return false;
    rmSync(place, { recursive: true, force: true });
    renameSync(join(folder, "package"), place);
    return true;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
