import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { findCommand, findProgram, packageOf } from "./programs.mjs";
import { Refusal, root, run, say } from "./run.mjs";

/** Refuses a Node that the framework would refuse later, and less clearly. */
export function requireNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  throw new Refusal(`Node.js 20.19 or later is needed; this is ${process.version}. See https://nodejs.org/`);
}

/** The other side of the webhook; it has packages of its own, so that the product's stay few. */
export const deliveryServiceFolder = join(root, "examples", "delivery-service");

/** Installs the npm packages of a folder's lock file, unless its node_modules holds exactly those already. */
export async function ensurePackages(folder = root) {
  if (packagesMatch(folder)) return;
  say(`Installing npm packages${folder === root ? "" : ` of ${relative(root, folder)}`} …`);
  // Explicitly with the development packages: the build needs them, whatever NODE_ENV is set to outside.
  const args = ["ci", "--include=dev", "--no-audit", "--no-fund"];
  const code = await run("npm", args, { cwd: folder });
  if (code !== 0) throw new Refusal("npm ci failed; its output is above. Is this machine online?");
}

/**
 * npm keeps a record of what it installed in node_modules/.package-lock.json. Every package of the lock file must
 * be there in the same version; only packages for other platforms may be missing.
 */
function packagesMatch(folder) {
  const wanted = readPackages(join(folder, "package-lock.json"));
  const installed = readPackages(join(folder, "node_modules", ".package-lock.json"));
  if (!wanted || !installed) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === "") return true;
    const there = installed[path];
    if (!there) return Boolean(entry.optional || entry.devOptional || entry.peer);
    if (there.version !== entry.version || there.integrity !== entry.integrity) return false;
    return existsSync(join(folder, path, "package.json"));
  });
}

function readPackages(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8")).packages;
  } catch {
    return undefined;
  }
}

/**
 * Makes ready what a command needs: the npm packages, and of these programs those that are missing, from Debian's
 * packages where it may.
 *
 * @param {import("./programs.mjs").ProgramName[]} names
 */
export async function ensureTools(...names) {
  requireNode();
  await ensurePackages();
  const missing = names.filter((name) => !findProgram(name));
  if (missing.length > 0) await installFromDebian(missing.map(packageOf));
}

/** Installs Debian packages where that needs nobody's password; tells whether it did. */
export async function installFromDebian(packages) {
  const aptGet = await aptGetCommand();
  if (!aptGet) return false;
  say(`Installing from Debian's packages: ${packages.join(", ")} …`);
  const [command, ...prefix] = aptGet;
  if ((await run(command, [...prefix, "update"])) !== 0) return false;
  return (await run(command, [...prefix, "install", "-y", "--no-install-recommends", ...packages])) === 0;
}

/** How to call apt-get without a question being asked, or undefined. */
async function aptGetCommand() {
  if (!findCommand("apt-get")) return undefined;
  const command = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get"];
  if (process.getuid?.() === 0) return command;
  if (!findCommand("sudo")) return undefined;
  const withoutPassword = (await run("sudo", ["-n", "true"], { stdio: "ignore" })) === 0;
  return withoutPassword ? ["sudo", "-n", ...command] : undefined;
}
