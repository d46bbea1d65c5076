/*
 * Checks the npm packages: exact versions, a complete lock file, allowed licences, a documented reason for every runtime
 * dependency, and no advisory of high or critical severity. Prints every problem, and exits with 1 if there are any.
 * The argument is another folder. If it has no docs/dependencies.md, its README.md contains the reasons.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root, say } from "./lib/processes.mjs";

/** Allowed licences of runtime packages by SPDX name, and the names of the packages that may have them. */
const licences = {
  "0BSD": /^/,
  "Apache-2.0": /^/,
  "BSD-2-Clause": /^/,
  "BSD-3-Clause": /^/,
  ISC: /^/,
  MIT: /^/,
  "MIT-0": /^/,
  Unlicense: /^/,
  // Fonts.
  "OFL-1.1": /^@fontsource\//,
  // Data about the features of browsers.
  "CC-BY-4.0": /^caniuse-lite$/,
  // An image library, which remains a separate, unchanged file.
  "LGPL-3.0-or-later": /^@img\/sharp-/,
};

/** Lower versions allow remote code execution. */
const minimumVersions = { next: "16.4.6" };

const auditTimeoutMs = 60_000;

const folder = process.argv[2] ?? root;
const manifest = JSON.parse(read("package.json"));
const packages = Object.entries(JSON.parse(read("package-lock.json")).packages)
  .filter(([path]) => path !== "")
  .map(([path, entry]) => ({ path, name: path.slice(path.lastIndexOf("node_modules/") + 13), entry }));
const shipped = packages.filter(({ entry }) => !entry.dev);

const checks = [checkVersions, checkLockFile, checkLicences, checkReasons, checkAdvisories];
const problems = checks.flatMap((check) => check());
for (const problem of problems) say(`✗ ${problem}`);
process.exitCode = problems.length === 0 ? 0 : 1;

function read(file) {
  return readFileSync(join(folder, file), "utf8");
}

/** Checks that versions in package.json are exact, and equal to those in the lock file. */
function checkVersions() {
  const wanted = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
  say(`versions: ${wanted.length} direct dependencies`);
  return wanted.flatMap(([name, version]) => {
    if (!/^\d+\.\d+\.\d+$/.test(version)) return [`${name}: the version ${version} is not exact`];
    const locked = packages.find(({ path }) => path === `node_modules/${name}`)?.entry.version;
    if (locked !== version) return [`${name}: package.json has ${version}, the lock file ${locked}`];
    const minimum = minimumVersions[name];
    const isBelow = minimum && version.localeCompare(minimum, "en", { numeric: true }) < 0;
    return isBelow ? [`${name}: ${version} is below ${minimum}`] : [];
  });
}

/**
 * Checks that every package has a hash and no URL, so that any registry can serve it. Packages for other platforms may have no
 * hash, because some registries lack them, and npm does not install them here.
 */
function checkLockFile() {
  const withoutHash = packages.filter(({ entry }) => !entry.integrity);
  const unpinned = withoutHash.filter(({ path, entry }) => !isForOtherPlatform(entry) || isInstalled(path));
  say(`lock file: ${packages.length} packages, ${withoutHash.length} for other platforms without a hash`);
  return [
    ...unpinned.map(({ path }) => `${path}: the lock file has no integrity for it`),
    ...packages.flatMap(({ path, entry }) =>
      entry.resolved ? [`${path}: the lock file binds it to ${entry.resolved}`] : [],
    ),
  ];
}

function isForOtherPlatform({ optional, os, cpu }) {
  return optional === true && Boolean(os ?? cpu);
}

function isInstalled(path) {
  return existsSync(join(folder, path, "package.json"));
}

/** Checks the licences of runtime packages. Reads the licence of a package that is not installed from the lock file. */
function checkLicences() {
  const found = shipped.map((each) => ({ ...each, licence: licenceOf(each) }));
  const known = found.filter(({ licence, entry }) => licence !== undefined || !isForOtherPlatform(entry));
  const unread = found.length - known.length;
  say(`licences: ${known.length} packages shipped, ${unread} for other platforms not read`);
  return known
    .filter(({ name, licence }) => !isAllowed(licence, name))
    .map(({ path, licence }) => `${path}: the licence ${licence ?? "(none)"} is not on the list`);
}

function licenceOf({ path, entry }) {
  if (!isInstalled(path)) return entry.license;
  const { license } = JSON.parse(read(join(path, "package.json")));
  return typeof license === "string" ? license : undefined;
}

/** Evaluates an SPDX expression with AND and OR, without nested parentheses. */
function isAllowed(licence = "", name) {
  return licence
    .replace(/^\((.*)\)$/, "$1")
    .split(" OR ")
    .some((choice) => choice.split(" AND ").every((part) => licences[part]?.test(name) ?? false));
}

/** Checks that the table of reasons has exactly one row for each runtime dependency. */
function checkReasons() {
  const file = existsSync(join(folder, "docs")) ? "docs/dependencies.md" : "README.md";
  const text = read(file);
  const table = text.slice(Math.max(0, text.search(/^\| Package +\|/m)));
  const rows = Array.from(table.matchAll(/^\| `([^`]+)` +\| +\S/gm), ([, name]) => name);
  const wanted = Object.keys(manifest.dependencies);
  say(`reasons: ${wanted.length} runtime dependencies`);
  const missing = wanted.filter((name) => !rows.includes(name));
  const unused = rows.filter((name) => !wanted.includes(name));
  const repeated = rows.filter((name, index) => rows.indexOf(name) !== index);
  return [
    ...missing.map((name) => `${name}: ${file} does not say why it is needed`),
    ...unused.map((name) => `${name}: ${file} speaks of it, but it is no runtime dependency`),
    ...repeated.map((name) => `${name}: ${file} has it twice`),
  ];
}

/**
 * Requests the advisories for runtime packages from the registry. Prints a note, and reports no problem, if the registry has no
 * advisories or does not respond.
 */
function checkAdvisories() {
  const args = ["audit", "--omit=dev", "--package-lock-only", "--json", "--fetch-retries=0"];
  const { stdout } = spawnSync("npm", args, { cwd: folder, encoding: "utf8", timeout: auditTimeoutMs });
  const reply = parse(stdout);
  const severities = reply?.metadata?.vulnerabilities;
  if (!severities) {
    const why = [404, 405, 501].includes(reply?.statusCode)
      ? "not offered by this registry"
      : `the registry could not be asked (${reply?.error?.code ?? reply?.statusCode ?? "no answer"})`;
    say(`advisories: NOT CHECKED, ${why}`);
    return [];
  }
  say(`advisories: ${JSON.stringify(severities)}`);
  const severe = Object.values(reply.vulnerabilities).filter(({ severity }) =>
    ["high", "critical"].includes(severity),
  );
  return severe.map(
    ({ name, severity }) => `${name}: an advisory of ${severity} severity; npm audit --omit=dev says more`,
  );
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
