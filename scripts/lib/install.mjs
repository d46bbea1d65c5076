import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { root, run, UserError } from "./processes.mjs";
import { findCommand } from "./programs.mjs";

/** Throws if "engines" in package.json, a list such as "^20.19.0 || ^24.0.0", excludes this version of Node. */
export function requireNode(version = process.versions.node) {
  const { engines } = readJson(join(root, "package.json"));
  const ranges = [...engines.node.matchAll(/(\d+)\.(\d+)/g)].map(([, ...numbers]) => numbers.map(Number));
  const [major, minor] = version.split(".").map(Number);
  if (ranges.some((range) => major === range[0] && minor >= range[1])) return;
  const names = ranges.map((range) => (range[1] > 0 ? range.join(".") : range[0]));
  throw new UserError(
    `Node.js ${names.slice(0, -1).join(", ")} or ${names.at(-1)} (or later with the same first number) is needed; ` +
      `this is ${version}. See https://nodejs.org/`,
  );
}

/** The example of a delivery service. It has its own npm packages. */
export const deliveryServiceFolder = join(root, "examples", "delivery-service");

/** Installs the npm packages of a folder, unless node_modules contains the versions of its lock file. */
export async function ensurePackages(folder = root) {
  if (packagesMatch(folder)) return;
  console.log(`Installing npm packages${folder === root ? "" : ` of ${relative(root, folder)}`} …`);
  // The build needs these packages, also if NODE_ENV is "production" or npm's settings omit them.
  const args = ["ci", "--include=dev", "--include=optional", "--no-audit", "--no-fund"];
  // npm's cache saves a request per package, and can be older than the lock file.
  for (const more of [["--prefer-offline"], []])
    if ((await run("npm", [...args, ...more], { cwd: folder })) === 0) return;
  throw new UserError("npm ci failed; its output is above. Is this machine online?");
}

/**
 * Compares the lock file with npm's list of installed packages. Packages for other platforms may be missing. If such a
 * package is installed, node_modules is from another machine.
 */
export function packagesMatch(folder) {
  const { packages: wanted } = readJson(join(folder, "package-lock.json"));
  const { packages: installed } = readJson(join(folder, "node_modules", ".package-lock.json"));
  if (!wanted || !installed || !Object.values(installed).every(isForThisPlatform)) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === "") return true;
    const found = installed[path];
    const isNative = Boolean(entry.os || entry.cpu) && isForThisPlatform(entry);
    if (!found) return Boolean(entry.optional || entry.devOptional || entry.peer) && !isNative;
    if (found.version !== entry.version || found.integrity !== entry.integrity) return false;
    return existsSync(join(folder, path, "package.json"));
  });
}

function isForThisPlatform({ os, cpu, libc }) {
  // Lists of allowed names, or of excluded names such as "!win32".
  const allows = (list = ["!"], name) =>
    list.includes(name) || (list[0][0] === "!" && !list.includes(`!${name}`));
  if (!allows(os, process.platform) || !allows(cpu, process.arch)) return false;
  return !libc || allows(libc, process.report.getReport().header.glibcVersionRuntime ? "glibc" : "musl");
}

/** Returns the value in a JSON file, or an empty object if the file cannot be read. */
export function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return {};
  }
}

/** Installs Debian packages as root or with sudo, and prints each command before it runs. Returns whether it succeeded. */
export async function installFromDebian(packages) {
  const isRoot = process.getuid?.() === 0;
  if (!findCommand("apt-get") || !(isRoot || findCommand("sudo"))) return false;
  console.log(`Installing from Debian's packages: ${packages.join(", ")} …`);
  // With -n, sudo fails if it needs a password.
  const prefix = [...(isRoot ? [] : ["sudo", "-n"]), "env", "DEBIAN_FRONTEND=noninteractive", "apt-get"];
  for (const args of [["update"], ["install", "-y", "--no-install-recommends", ...packages]]) {
    const [command, ...rest] = [...prefix, ...args];
    console.log(`Running: ${command} ${rest.join(" ")}`);
    if ((await run(command, rest)) !== 0) return false;
  }
  return true;
}
