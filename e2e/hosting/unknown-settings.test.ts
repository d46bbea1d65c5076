import { expect, test } from "@playwright/test";
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { root, startInBackground } from "@/scripts/lib/processes.mjs";
import { freePort } from "@/scripts/lib/ports.mjs";
import { buildsFolder, serverlessBuilds } from "@/testing/servers/builds";
import { startServerlessSite } from "@/testing/servers/serverless-site";
import { installRelease } from "@/testing/servers/web-server";
import { startUnit } from "./systemd-unit";
import { Visitor } from "@/testing/visitor";

/* Misspelled names in the settings of each way to deploy. The shipped files pass the settings to the processes. */

const misspelled = { DAILY_LIKES_LIMIT: "5000", MAX_REQUEST_PER_IP_PER_DAY: "3" };
const messages = [
  "DAILY_LIKES_LIMIT: there is no such setting; did you mean DAILY_LIKE_LIMIT?",
  "MAX_REQUEST_PER_IP_PER_DAY: there is no such setting; did you mean MAX_REQUESTS_PER_IP_PER_DAY?",
];
const settings = {
  SITE_URL: "https://likes.localhost",
  SESSION_SECRET: "session-secret-of-the-tests-0123456789",
  VISITOR_HASH_SECRET: "visitor-secret-of-the-tests-0123456789",
  REDIS_URL: "redis://127.0.0.1:9",
  ...misspelled,
};
const onVercel = { ...serverlessBuilds.production, ...misspelled };
const release = join(root, buildsFolder, "deployed");
const folder = mkdtempSync(join(tmpdir(), "settings-"));
const file = join(folder, "site.env");
test.beforeAll(() =>
  writeFileSync(
    file,
    Object.entries(settings)
      .map((pair) => `${pair.join("='")}'\n`)
      .join(""),
  ),
);
test.afterAll(() => rmSync(folder, { recursive: true }));

/** Each entry starts a process, and returns a function that reads its output. */
const starts: Record<string, () => Promise<() => string>> = {
  "systemd: the process of the unit": async () => {
    const home = join(folder, "home");
    installRelease(home, release);
    const unit = await startUnit({ home, settings: file, port: await freePort() });
    await promisify(execFile)("/bin/sh", ["-c", unit.commands.restart]);
    await expect.poll(unit.output).toContain("The server cannot start");
    await unit.stop();
    return unit.output;
  },
  "systemd: the doctor": () => run("node", ["scripts/tool.mjs", "doctor", "--env", file]),
  "Docker: the container of the site": () => {
    const [, image = ""] = readFileSync(join(root, "Dockerfile"), "utf8").split(" AS site\n");
    const [program = "", ...args] = JSON.parse(/^CMD (.*)$/m.exec(image)?.[1] ?? "") as string[];
    return run(program, args, composeEnvironment("site"), release);
  },
  "Docker: the doctor": () => run("node", ["scripts/tool.mjs", "doctor"], composeEnvironment("tools")),
  "serverless: the build": () => run("npm", ["run", "prebuild"], onVercel),
  "serverless: a function": async () => {
    const upstash = { url: "http://127.0.0.1:9", token: "token-of-the-tests" };
    const site = await startServerlessSite({ upstash, env: misspelled });
    expect((await new Visitor(site.url).visit("/api/health")).status).toBe(500);
    await site.stop();
    return site.output;
  },
  "serverless: the doctor": () => run("node", ["scripts/tool.mjs", "doctor"], onVercel),
};

for (const [name, start] of Object.entries(starts))
  test(`${name} names each misspelled setting`, async () => {
    test.skip(
      name === "serverless: a function" && process.env.WITHOUT_SERVERLESS === "yes",
      "The serverless build is missing.",
    );
    const output = await start();
    for (const message of messages) expect(output()).toContain(message);
  });

/** Runs a command to its end, which must be a failure. */
async function run(program: string, args: string[], env: Record<string, string> = {}, cwd = root) {
  const running = startInBackground(program, args, {
    cwd,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, NODE_ENV: "production", ...env },
  });
  expect(await running.ended).toBe(1);
  return running.output;
}

/** Returns the environment that compose.yaml gives to a service, when .env contains the settings. */
function composeEnvironment(service: "site" | "tools"): Record<string, string> {
  const compose = readFileSync(join(root, "compose.yaml"), "utf8");
  const block = (name: string) =>
    new RegExp(`^ {2}${name}:\\n((?: {4}.*\\n)+)`, "m").exec(compose)?.[1] ?? "";
  const listed = block("site").matchAll(/^ {6}([A-Z_]+): (.*)$/gm);
  const fromFile = block(service).includes("    env_file: .env\n") ? settings : {};
  return {
    ...fromFile,
    ...Object.fromEntries(Array.from(listed, ([, name = "", value = ""]) => [name, value])),
  };
}
