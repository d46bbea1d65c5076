import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { root, run, say } from "./processes.mjs";

/** The version of Node that guides and images name. renovate.json updates it. */
export const deployedNode = "24.9.0";

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
