import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { root, run } from "./processes.mjs";

/** The version of Node that guides and images name. renovate.json updates it, and Dockerfile. */
export const deployedNode = "24.21.0";

const folder = join(root, ".data", "programs", `node-${deployedNode}`);
const packageName = `node-${process.platform}-${process.arch}`;

/** Path of that Node after the download. Only tests run it. */
export const deployedNodePath = join(folder, "node_modules", packageName, "bin", "node");

/** Downloads that Node from npm's registry, unless it exists. Returns whether it exists. */
export async function ensureDeployedNode() {
  if (existsSync(deployedNodePath)) return true;
  mkdirSync(folder, { recursive: true });
  return (await run("npm", ["install", "--prefix", folder, `${packageName}@${deployedNode}`])) === 0;
}
