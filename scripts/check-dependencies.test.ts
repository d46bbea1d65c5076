import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(__dirname, "..");

/** A registry without packages. It responds with `advisories`. */
let registry: Server;
let advisories: object | null = null;
let folder: string;

beforeAll(async () => {
  registry = createServer((request, response) => {
    request.resume();
    const isAudit = request.url?.includes("/advisories/bulk");
    response.writeHead(isAudit && advisories ? 200 : request.method === "POST" ? 405 : 404);
    response.end(JSON.stringify((isAudit && advisories) || {}));
  });
  await new Promise<void>((resolve) => registry.listen(0, "127.0.0.1", resolve));
});
afterAll(() => new Promise((resolve) => registry.close(resolve)));

beforeEach(() => {
  advisories = null;
  folder = mkdtempSync(join(tmpdir(), "dependencies-"));
  mkdirSync(join(folder, "docs"));
  for (const file of ["package.json", "package-lock.json", "docs/dependencies.md"]) {
    cpSync(join(root, file), join(folder, file));
  }
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function change(file: string, from: string | RegExp, to: string): void {
  const before = readFileSync(join(folder, file), "utf8");
  const after = before.replace(from, to);
  expect(after).not.toBe(before);
  writeFileSync(join(folder, file), after);
}

/** Runs the check on the folder. */
function check(url = `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`) {
  const env = { ...process.env, npm_config_registry: url, npm_config_cache: join(folder, "cache") };
  const script = join(root, "scripts", "check-dependencies.mjs");
  return new Promise<{ passed: boolean; output: string; problems: string[] }>((resolve) => {
    execFile(process.execPath, [script, folder], { env }, (error, stdout) => {
      const problems = stdout.split("\n").filter((line) => line.startsWith("✗ "));
      resolve({ passed: error === null, output: stdout, problems });
    });
  });
}

it("passes for the project, and prints that the registry has no advisories", async () => {
  const { passed, output, problems } = await check();
  expect(problems).toEqual([]);
  expect(passed).toBe(true);
  expect(output).toContain("advisories: NOT CHECKED, not offered by this registry");
});

it("passes, and prints a note, if the registry does not respond", async () => {
  const { passed, output } = await check("http://127.0.0.1:9/");
  expect(passed).toBe(true);
  expect(output).toMatch(/advisories: NOT CHECKED, the registry could not be asked/);
});

it("fails, and reports each problem with versions, lock file, licences and reasons", async () => {
  change("package.json", '"zod": "', '"zod": "^');
  change("package.json", /"swr": "[^"]+"/, '"swr": "0.0.1"');
  change("package.json", /"next": "[^"]+"/, '"next": "16.4.5"');
  change("package-lock.json", /("node_modules\/next": \{\s*"version": )"[^"]+"/, '$1"16.4.5"');
  change("package-lock.json", /,\s*"integrity": "[^"]+"/, "");
  change("package-lock.json", '"integrity"', '"resolved": "https://registry.example.com/x.tgz", "integrity"');
  change("docs/dependencies.md", /\| `zod`.*\n/, "| `gone` | x |\n");
  // Without installed packages, the script reads the licences from the lock file.
  rmSync(join(folder, "node_modules"));
  change("package-lock.json", /("node_modules\/zod": \{[^}]*"license": )"MIT"/, '$1"GPL-3.0-only"');
  change("package-lock.json", /("node_modules\/swr": \{[^}]*"license": )"MIT"/, '$1"MIT AND OFL-1.1"');
  change("package-lock.json", /("node_modules\/clsx": \{[^}]*"license": )"MIT"/, '$1"(GPL-3.0-only OR MIT)"');
  const { passed, problems } = await check();
  expect(passed).toBe(false);
  expect(problems).toEqual([
    "✗ next: 16.4.5 is below 16.4.6",
    expect.stringMatching(/swr: package.json has 0.0.1, the lock file \d/),
    expect.stringMatching(/zod: the version \^.* is not exact/),
    expect.stringContaining("the lock file has no integrity"),
    expect.stringContaining("the lock file binds it to https://registry.example.com/x.tgz"),
    "✗ node_modules/swr: the licence MIT AND OFL-1.1 is not on the list",
    "✗ node_modules/zod: the licence GPL-3.0-only is not on the list",
    "✗ zod: docs/dependencies.md does not say why it is needed",
    "✗ gone: docs/dependencies.md speaks of it, but it is no runtime dependency",
  ]);
});

it("fails for an advisory of high severity, but not of moderate severity", async () => {
  const cvss = { score: 0, vectorString: null };
  const common = {
    url: "https://example.com/1",
    title: "A vulnerability",
    vulnerable_versions: "<99",
    cwe: [],
    cvss,
  };
  advisories = {
    swr: [{ ...common, id: 1, severity: "high" }],
    clsx: [{ ...common, id: 2, severity: "moderate" }],
  };
  const { passed, problems, output } = await check();
  expect(output).toMatch(/"moderate":[1-9]/);
  expect(passed).toBe(false);
  expect(problems).toEqual([expect.stringContaining("swr: an advisory of high severity")]);
});
