import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packagesMatch, requireNode } from "./lib/install.mjs";

/* `npm run verify` also requests the advisories for these packages. */

/** Allowed licences of runtime packages by SPDX name. */
const licences = "0BSD Apache-2.0 BSD-2-Clause BSD-3-Clause ISC MIT MIT-0 Unlicense".split(" ");

/** Other licences, and the packages that may have them. */
const exceptions: Record<string, RegExp> = {
  // Data about the features of browsers.
  "CC-BY-4.0": /^caniuse-lite$/,
  // An image library, which remains a separate, unchanged file.
  "LGPL-3.0-or-later": /^@img\/sharp-/,
};

interface LockEntry {
  version: string;
  integrity?: string;
  resolved?: string;
  license?: string;
  dev?: boolean;
  optional?: boolean;
}

describe.each([
  { folder: ".", reasons: "docs/dependencies.md" },
  { folder: "examples/delivery-service", reasons: "README.md" },
])("the packages of $folder", ({ folder, reasons }) => {
  const place = join(__dirname, "..", folder);
  const read = (file: string) => readFileSync(join(place, file), "utf8");
  const { dependencies, devDependencies } = JSON.parse(read("package.json")) as Record<
    "dependencies" | "devDependencies",
    Record<string, string>
  >;
  const { packages } = JSON.parse(read("package-lock.json")) as { packages: Record<string, LockEntry> };
  const entries = Object.entries(packages).filter(([path]) => path !== "");

  it("have exact versions, which are those of the lock file", () => {
    const wanted = Object.entries({ ...dependencies, ...devDependencies });
    // One package has another name here: "npm:typescript@7.0.2".
    const versions = wanted.map(([name, version]) => [name, version.replace(/^npm:.+@/, "")]);
    expect(versions).toEqual(wanted.map(([name]) => [name, packages[`node_modules/${name}`]?.version]));
    expect(versions.filter(([, version = ""]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
  });

  it("have a hash and no URL in the lock file, so that any registry can serve them", () => {
    const wrong = entries.filter(([, { integrity, resolved }]) => !integrity || resolved);
    expect(wrong.map(([path]) => path)).toEqual([]);
  });

  it("have allowed licences, unless only developers use them", () => {
    const wrong = entries.filter(([path, { dev, license = "(none)" }]) => {
      const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
      const isAllowed = (part: string) => licences.includes(part) || exceptions[part]?.test(name);
      return !dev && !license.split(" AND ").every(isAllowed);
    });
    expect(wrong.map(([path, { license }]) => `${path}: ${license}`)).toEqual([]);
  });

  it("each have one row with a reason in the documents, unless only developers use them", () => {
    const [, table = ""] = read(reasons).split(/^\| Package +\| Why .*$/m);
    const rows = Array.from(table.matchAll(/^\| `([^`]+)` +\| +\S/gm), ([, name]) => name);
    expect(rows.sort()).toEqual(Object.keys(dependencies).sort());
  });
});

it("accepts the versions of Node in package.json, and names them to others", () => {
  for (const version of ["20.19.0", "22.12.0", "24.0.1"]) requireNode(version);
  for (const version of ["20.18.3", "22.11.0", "23.11.0"])
    expect(() => requireNode(version)).toThrow(
      `Node.js 20.19, 22.12 or 24 (or later with the same first number) is needed; this is ${version}`,
    );
});

it.each([
  [{ os: [process.platform], cpu: ["!s390"] }, true],
  [{ os: [`!${process.platform}`] }, false],
  [{ libc: ["none"] }, false],
])("takes installed packages for %j for complete: %s", (platform, isComplete) => {
  const folder = mkdtempSync(join(tmpdir(), "packages-"));
  const entry = { version: "1.0.0", integrity: "sha512-x", optional: true };
  mkdirSync(join(folder, "node_modules", "a"), { recursive: true });
  writeFileSync(join(folder, "node_modules", "a", "package.json"), "{}");
  const write = (file: string, packages: object) =>
    writeFileSync(join(folder, file), JSON.stringify({ packages }));
  write("package-lock.json", { "": {}, "node_modules/a": entry });
  write("node_modules/.package-lock.json", { "node_modules/a": { ...entry, ...platform } });
  expect(packagesMatch(folder)).toBe(isComplete);
  // Not installed: complete, unless it is a binary package for this platform.
  write("package-lock.json", { "": {}, "node_modules/a": { ...entry, ...platform } });
  write("node_modules/.package-lock.json", {});
  expect(packagesMatch(folder)).toBe(!isComplete || !("cpu" in platform));
  rmSync(folder, { recursive: true });
});

it.each([
  [{}, "read"],
  // scripts/release.mjs builds for another machine, and tests ignore the settings of this one.
  [{ __NEXT_PROCESSED_ENV: "true" }, "ignored"],
])("Next.js treats .env files in the environment %j as follows: %s", (env, result) => {
  const folder = mkdtempSync(join(tmpdir(), "env-"));
  writeFileSync(join(folder, ".env"), "RESULT=read");
  const program =
    'require("@next/env").loadEnvConfig(process.argv[1]); process.stdout.write(process.env.RESULT ?? "ignored")';
  const options = { env: { ...env, NODE_ENV: "test" }, cwd: __dirname, encoding: "utf8" } as const;
  expect(execFileSync(process.execPath, ["-e", program, folder], options)).toBe(result);
  rmSync(folder, { recursive: true });
});
