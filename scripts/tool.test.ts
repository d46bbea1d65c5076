import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { devDependencies } from "@/package.json";
import { serverlessBuilds } from "@/testing/servers/builds";

const folder = mkdtempSync(join(tmpdir(), "settings-"));
const file = join(folder, "site.env");
afterAll(() => rmSync(folder, { recursive: true }));

const site = "SITE_URL=https://likes.example\n";

/** Runs a program of this folder, without a Redis in its environment. */
function run(command: string, env = {}, node: string[] = []) {
  const [script = "", ...args] = command.split(" ");
  return spawnSync(process.execPath, [...node, join("scripts", script), ...args], {
    env: { ...process.env, REDIS_URL: "", UPSTASH_REDIS_REST_URL: "", ...env },
    encoding: "utf8",
  });
}

function runWith(settings: string, command: string) {
  writeFileSync(file, settings);
  return run(`tool.mjs ${command} --env ${file}`);
}

it.each(["ledger limit 400", "inbox list", "not-found"])(
  "npm run %s changes and shows nothing without a configured Redis",
  (command) => {
    const { status, stdout, stderr } = runWith(site, command);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    const [name] = command.split(" ");
    expect(stderr).toContain(`There is no Redis in the settings, so npm run ${name} has no site to work on.`);
  },
);

it("the doctor fails without a configured Redis or with a misspelled setting, and first names the site", () => {
  const { status, stdout, stderr } = runWith(`${site}DAILY_LIKES_LIMIT=5000\n`, "doctor");
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: "Site https://likes.example, no Redis in the settings\n",
  });
  expect(stdout).toMatch(/^problem +configuration +REDIS_URL: /m);
  expect(stdout).toContain("did you mean DAILY_LIKE_LIMIT?");
});

it("a build on a serverless host fails with a misspelled setting", () => {
  const env = { NODE_ENV: "production", ...serverlessBuilds.production, DAILY_LIKES_LIMIT: "5000" };
  const { status, stderr } = run("check-settings.ts", env, ["--conditions=react-server", "--import=tsx"]);
  expect([status, stderr]).toEqual([1, expect.stringContaining("did you mean DAILY_LIKE_LIMIT?")]);
});

it("reads secrets from files, and other names of settings", () => {
  const address = join(folder, "redis-url");
  writeFileSync(address, "redis://127.0.0.1:1/0\n");
  const errorsWith = (settings: string) => runWith(settings, "ledger budget").stderr;
  expect(errorsWith(`${site}REDIS_URL_FILE=${address}\n`)).toMatch(/^Site https.+, Redis 127\.0\.0\.1:1\n/);
  expect(errorsWith("KV_REST_API_URL=http://127.0.0.1:2\n")).toContain("Redis 127.0.0.1:2\n");
  expect(errorsWith("REDIS_URL_FILE=/none\n")).toContain("REDIS_URL_FILE: /none cannot be read (ENOENT)");
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
  const { status, stderr } = run(command, { PORT }, ["--import", toUrl(register)]);
  expect(stderr.trim()).toMatch(
    /^Browsers refuse the port of http:\/\/127\.0\.0\.1:10080\S*: choose another one\.$/,
  );
  expect(status).toBe(1);
});
