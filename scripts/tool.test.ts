import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { devDependencies } from "@/package.json";

const folder = mkdtempSync(join(tmpdir(), "settings-"));
const file = join(folder, "site.env");
afterAll(() => rmSync(folder, { recursive: true }));

it.each([["ledger", "limit", "400"], ["inbox", "list"], ["not-found"]])(
  "npm run %s changes and shows nothing without a configured Redis",
  (...command) => {
    writeFileSync(file, "SITE_URL=https://likes.example\n");
    const env = { ...process.env, REDIS_URL: "", UPSTASH_REDIS_REST_URL: "" };
    const args = ["scripts/tool.mjs", ...command, "--env", file];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: "utf8" });
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toContain(
      `There is no Redis in the settings, so npm run ${command[0]} has no site to work on.`,
    );
  },
);

it("the doctor fails without a configured Redis, and first names the site", () => {
  writeFileSync(file, "SITE_URL=https://likes.example\n");
  const env = { ...process.env, REDIS_URL: "", UPSTASH_REDIS_REST_URL: "" };
  const args = ["scripts/tool.mjs", "doctor", "--env", file];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: "utf8" });
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: "Site https://likes.example, no Redis in the settings\n",
  });
  expect(stdout).toMatch(/^problem +configuration +REDIS_URL: /m);
});

it("reads secrets from files, and other names of settings", () => {
  const address = join(folder, "redis-url");
  writeFileSync(address, "redis://127.0.0.1:1/0\n");
  const run = (settings: string) => {
    writeFileSync(file, settings);
    const args = ["scripts/tool.mjs", "ledger", "budget", "--env", file];
    return spawnSync(process.execPath, args, { env: { ...process.env, REDIS_URL: "" }, encoding: "utf8" });
  };
  const site = "SITE_URL=https://likes.example\n";
  expect(run(`${site}REDIS_URL_FILE=${address}\n`).stderr).toMatch(
    /^Site https:\/\/likes\.example, Redis 127\.0\.0\.1:1\n/,
  );
  expect(run("KV_REST_API_URL=http://127.0.0.1:2\n").stderr).toContain("Redis 127.0.0.1:2\n");
  expect(run("REDIS_URL_FILE=/none\n")).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("REDIS_URL_FILE: /none cannot be read (ENOENT)"),
  });
});

it.each([
  ["serve.mjs", "10080"],
  ["start.mjs start", "10080"],
  ["release.mjs --health http://127.0.0.1:10080/api/health", ""],
])("%s refuses a port that browsers refuse, and needs no development package before", (command, PORT) => {
  const hooks = `export function resolve(name, context, next) {
    if (${JSON.stringify(Object.keys(devDependencies))}.includes(name)) throw new Error(name + " is missing");
    return next(name, context); }`;
  const toUrl = (code: string) => `data:text/javascript,${encodeURIComponent(code)}`;
  const register = `import("node:module").then(({ register }) => register(${JSON.stringify(toUrl(hooks))}))`;
  const [script = "", ...options] = command.split(" ");
  const args = ["--import", toUrl(register), join("scripts", script), ...options];
  const { status, stderr } = spawnSync(process.execPath, args, {
    env: { ...process.env, PORT },
    encoding: "utf8",
  });
  expect([status, stderr.trim()]).toEqual([
    1,
    expect.stringMatching(
      /^Browsers refuse the port of http:\/\/127\.0\.0\.1:10080\S*: choose another one\.$/,
    ),
  ]);
});

it.each([
  ["release.mjs", "npm run release -- [options]"],
  ...["doctor", "ledger", "inbox", "not-found", "check-receiver"].map((name) => [
    `tool.mjs ${name}`,
    `Usage: npm run ${name}`,
  ]),
])("%s --help prints the usage without a configuration", (command, usage) => {
  const env = { ...process.env, REDIS_URL: "", UPSTASH_REDIS_REST_URL: "" };
  const [script = "", ...args] = command.split(" ");
  const all = [join("scripts", script), ...args, "--help"];
  const { status, stdout, stderr } = spawnSync(process.execPath, all, { env, encoding: "utf8" });
  expect({ status, stdout, stderr }).toEqual({
    status: 0,
    stdout: expect.stringContaining(usage),
    stderr: "",
  });
});
