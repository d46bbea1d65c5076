import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";

const root = join(__dirname, "..");
const elsewhere = new Set(["node_modules", ".git", ".next", ".data", "coverage"]);

function testFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (elsewhere.has(entry.name)) return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return testFiles(path);
    return /\.(?:test|spec)\.[cm]?[jt]sx?$/.test(entry.name) ? [path] : [];
  });
}

function listedByJest(): string[] {
  const jest = join(root, "node_modules", "jest", "bin", "jest.js");
  const args = [jest, "--listTests", "--json"];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as string[];
}

it("runs each test file once: with Jest, with Playwright, or with Node in the example", () => {
  const others = ["e2e", "examples/delivery-service"].flatMap((folder) => testFiles(join(root, folder)));
  expect([...listedByJest(), ...others].sort()).toEqual(testFiles(root).sort());
});
