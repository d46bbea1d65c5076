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

function listedBy(config: string): string[] {
  const jest = join(root, "node_modules", "jest", "bin", "jest.js");
  const args = [jest, "--config", config, "--listTests", "--json", "--passWithNoTests"];
  // Those of npm run test:serverless as well.
  const env = { ...process.env, E2E_SERVERLESS: "yes" };
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8", env });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as string[];
}

describe("test files", () => {
  it("are each run once: by one project of Jest, as an end-to-end test, or by Node in the example", () => {
    const run = ["jest.config.ts", "jest.e2e.config.ts"].flatMap(listedBy);
    // There npm test runs whatever is called so.
    run.push(...testFiles(join(root, "examples", "delivery-service")));
    expect(run.sort()).toEqual(testFiles(root).sort());
  });
});
