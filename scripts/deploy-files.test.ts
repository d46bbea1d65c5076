import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv } from "@/lib/server/config/env";
import { envSchema } from "@/lib/server/config/env-schema";
import { deployedNode } from "./lib/node-versions.mjs";
import { requireProgram } from "./lib/programs.mjs";
import { readSettingsFile } from "./lib/settings-file.mjs";

const root = join(__dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const folder = mkdtempSync(join(tmpdir(), "deploy-files-"));
afterAll(() => rmSync(folder, { recursive: true }));

it("passes systemd-analyze, with an exposure level of at most 1.3", () => {
  const unit = join(folder, "boost50.service");
  // systemd-analyze checks that the program exists.
  writeFileSync(unit, read("deploy/boost50.service").replace("/usr/bin/node", process.execPath));
  const analyze = (...args: string[]) =>
    spawnSync(requireProgram("systemd-analyze"), [...args, unit], { encoding: "utf8" });
  expect(analyze("verify", "--man=no")).toMatchObject({ status: 0, stdout: "", stderr: "" });
  // The threshold is ten times the exposure level.
  expect(analyze("security", "--offline=true", "--threshold=13", "--no-pager")).toMatchObject({ status: 0 });
});

it("gives the process the longest time that it may need to stop", () => {
  const accepts = (ms: number) => envSchema.shape.LIKE_WEBHOOK_TIMEOUT_MS.safeParse(String(ms)).success;
  for (const [file, pattern] of [
    ["deploy/boost50.service", /^TimeoutStopSec=(\d+)$/m],
    ["compose.yaml", /^ {4}stop_grace_period: (\d+)s$/m],
  ] as const) {
    const seconds = Number(pattern.exec(read(file))?.[1]);
    expect([file, seconds > 2, accepts((seconds - 2) * 1_000)]).toEqual([file, true, false]);
  }
  expect(accepts(60_000)).toBe(true);
});

it("has a workflow without errors, with the Node of the images", () => {
  const workflow = ".github/workflows/verify.yml";
  execFileSync("node_modules/.bin/action-validator", [workflow], { cwd: root });
  expect(read(workflow)).toContain(`image: node:${deployedNode}-`);
  expect(read(".nvmrc").trim()).toBe(deployedNode.split(".")[0]);
});

describe("the buttons of docs/deploy-serverless.md", () => {
  const guide = read("docs/deploy-serverless.md");
  const [line = ""] = /^ *for name in .*$/m.exec(guide) ?? [];
  const secrets = execFileSync("/bin/sh", ["-c", line], { encoding: "utf8" }).trim().split("\n");
  const answers: Record<string, string> = {
    ...Object.fromEntries(secrets.map((secret) => secret.split("=", 2) as [string, string])),
    SUPPORT_EMAIL: "help@likes.example",
    OPERATOR_NAME: "Likes Example Ltd",
    OPERATOR_ADDRESS: "1 Example Street, 10115 Berlin, Germany",
    POST_LOOKUP: "oembed",
    LIKE_DELIVERY: "webhook",
    LIKE_DELIVERY_ACKNOWLEDGED: "yes",
    LIKE_WEBHOOK_URL: "https://delivery.example/likes",
  };
  /** Variables that Vercel and its Upstash integration set. */
  const host = {
    VERCEL: "1",
    VERCEL_ENV: "production",
    VERCEL_PROJECT_PRODUCTION_URL: "likes.vercel.app",
    KV_REST_API_URL: "https://x.upstash.io",
    KV_REST_API_TOKEN: "token",
    REDIS_URL: "rediss://default:token@x.upstash.io:6379",
  };
  const start = (names: string[]) => {
    const result = parseEnv({ ...host, ...Object.fromEntries(names.map((name) => [name, answers[name]])) });
    return result.ok ? [result.env.delivery.kind, result.warnings] : result.problems;
  };

  it.each([
    ["demo", "dry-run"],
    ["live site", "webhook"],
  ])("ask for the settings that a %s needs, and create the database", (what, kind) => {
    const [, address = ""] = new RegExp(`^ *\\[.*${what}.*\\]\\((https:.*)\\)$`, "m").exec(guide) ?? [];
    const { searchParams } = new URL(address);
    const names = searchParams.get("env")?.split(",") ?? [];
    expect(Object.keys(readSettingsFile(join(root, ".env.example")))).toEqual(expect.arrayContaining(names));
    const complete = [kind, []];
    expect(start(names)).toEqual(complete);
    // A site also starts without these. The doctor needs HEALTH_TOKEN, and pages show SUPPORT_EMAIL.
    const optional = ["HEALTH_TOKEN", "SUPPORT_EMAIL"];
    expect(names).toEqual(expect.arrayContaining(optional));
    for (const name of names.filter((name) => !optional.includes(name)))
      expect([name, start(names.filter((other) => other !== name))]).not.toEqual([name, complete]);
    expect(JSON.parse(searchParams.get("stores") ?? "")).toEqual([
      expect.objectContaining({ type: "integration", integrationSlug: "upstash" }),
    ]);
    expect(searchParams.get("repository-url")).toContain("YOUR-ACCOUNT/YOUR-REPOSITORY");
  });
});

it.each([
  [{}, "1"],
  [{ TRUSTED_PROXY_HOPS: "2" }, "2"],
  [{ TRUSTED_IP_HEADER: "cf-connecting-ip" }, ""],
])("gives the site behind Caddy with %j in .env the number of proxies %j", (inEnvFile, hops) => {
  const env = { NODE_ENV: "test" as const, PATH: process.env.PATH, BEHIND_CADDY: "yes", ...inEnvFile };
  const script = [join(root, "deploy", "start-site.sh"), "sh", "-c", 'printf %s "${TRUSTED_PROXY_HOPS:-}"'];
  expect(spawnSync("sh", script, { env, encoding: "utf8" })).toMatchObject({ stdout: hops, stderr: "" });
});

it("uses one exact Node version for images and tests, which Renovate updates", () => {
  const versions = Array.from(read("Dockerfile").matchAll(/^FROM node:([\d.]+)-/gm), ([, found]) => found);
  expect(versions).toEqual([deployedNode, deployedNode]);
  const [{ matchStrings, managerFilePatterns }] = JSON.parse(read("renovate.json")).customManagers;
  const file = read(managerFilePatterns[0]);
  expect(new RegExp(matchStrings[0]).exec(file)?.groups?.currentValue).toBe(deployedNode);
});

it("keeps an asset of an earlier release for a week", () => {
  const home = join(folder, "home");
  mkdirSync(home);
  /** Runs commands, and then the entry point. Returns the assets. */
  const start = (commands: string) => {
    const env = { ...process.env, BOOST50_HOME: home };
    const script = [`${commands}; sh "$0" ls assets`, join(root, "deploy", "start-web.sh")];
    return execFileSync("/bin/sh", ["-ec", ...script], { cwd: home, env, encoding: "utf8" }).split("\n");
  };
  const first = `mkdir -p assets current/web/assets; touch current/web/assets/new.js
    touch -d '9 days ago' assets/forgotten.js; touch -d '6 days ago' assets/recent.js
    touch -d '30 days ago' 'assets/used until now.js'; echo './used until now.js' > assets/.latest`;
  expect(start(first)).toEqual(["new.js", "recent.js", "used until now.js", ""]);
  expect(start("touch -d '204 hours ago' 'assets/used until now.js'")).toEqual(["new.js", "recent.js", ""]);
});
