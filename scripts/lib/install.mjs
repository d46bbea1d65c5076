import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { root, run, say, UserError } from "./processes.mjs";
import { findCommand, findProgram, packageOf } from "./programs.mjs";

/** Throws if Next.js does not support this version of Node. */
export function requireNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  throw new UserError(
    `Node.js 20.19 or later is needed; this is ${process.version}. See https://nodejs.org/`,
  );
}

/** The example of a delivery service. It has its own npm packages. */
export const deliveryServiceFolder = join(root, "examples", "delivery-service");

/** Installs the npm packages of a folder, unless node_modules contains the versions of its lock file. */
export async function ensurePackages(folder = root) {
  if (packagesMatch(folder)) return;
  say(`Installing npm packages${folder === root ? "" : ` of ${relative(root, folder)}`} …`);
  // The build needs the development packages, also if NODE_ENV is "production".
  const args = ["ci", "--include=dev", "--no-audit", "--no-fund"];
  if ((await run("npm", args, { cwd: folder })) !== 0)
    throw new UserError("npm ci failed; its output is above. Is this machine online?");
}

/** Compares the lock file with npm's list of installed packages. Packages for other platforms may be missing. */
function packagesMatch(folder) {
  const wanted = readPackages(join(folder, "package-lock.json"));
  const installed = readPackages(join(folder, "node_modules", ".package-lock.json"));
  if (!wanted || !installed) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === "") return true;
    const found = installed[path];
    if (!found) return Boolean(entry.optional || entry.devOptional || entry.peer);
    if (found.version !== entry.version || found.integrity !== entry.integrity) return false;
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
 * Installs the npm packages and the missing programs that a command needs.
 *
 * @param {import("./programs.mjs").ProgramName[]} names
 */
export async function ensureTools(...names) {
  requireNode();
  await ensurePackages();
  const missing = names.filter((name) => !findProgram(name));
  if (missing.length > 0) await installFromDebian(missing.map(packageOf));
}

/** Installs Debian packages as root or with sudo, and prints each command before it runs. Returns whether it succeeded. */
export async function installFromDebian(packages) {
  const isRoot = process.getuid?.() === 0;
  if (!findCommand("apt-get") || !(isRoot || findCommand("sudo"))) return false;
  say(`Installing from Debian's packages: ${packages.join(", ")} …`);
  // With -n, sudo fails if it needs a password.
  const prefix = [...(isRoot ? [] : ["sudo", "-n"]), "env", "DEBIAN_FRONTEND=noninteractive", "apt-get"];
  for (const args of [["update"], ["install", "-y", "--no-install-recommends", ...packages]]) {
    const [command, ...rest] = [...prefix, ...args];
    say(`Running: ${command} ${rest.join(" ")}`);
    if ((await run(command, rest)) !== 0) return false;
  }
  return true;
}
