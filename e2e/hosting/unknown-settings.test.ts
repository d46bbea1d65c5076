import { expect, test } from "@playwright/test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root, run, startInBackground } from "@/scripts/lib/processes.mjs";
import { freePort } from "@/scripts/lib/ports.mjs";
import { buildsFolder, serverlessBuilds } from "@/testing/servers/builds";
import { installRelease } from "@/testing/servers/web-server";
import { startUnit } from "./systemd-unit";

/* Misspelled names of settings. scripts/deploy-files.test.ts checks that compose.yaml passes all settings to the containers. */

const misspelled = { DAILY_LIKES_LIMIT: "5000", MAX_REQUEST_PER_IP_PER_DAY: "3" };
const settings = {
  SITE_URL: "https://likes.localhost",
  SESSION_SECRET: "session-secret-of-the-tests-0123456789",
  VISITOR_HASH_SECRET: "visitor-secret-of-the-tests-0123456789",
  REDIS_URL: "redis://127.0.0.1:9",
  ...misspelled,
};
const folder = mkdtempSync(join(tmpdir(), "settings-"));
const file = join(folder, "site.env");
const lines = Object.entries(settings).map(([name, value]) => `${name}='${value}'\n`);
test.beforeAll(() => writeFileSync(file, lines.join("")));
test.afterAll(() => rmSync(folder, { recursive: true }));

/** Each entry starts a process, and returns its output. */
const starts: Record<string, () => Promise<string>> = {
  "the process of the systemd unit": async () => {
    const home = join(folder, "home");
    installRelease(home, join(root, buildsFolder, "deployed"));
    const unit = await startUnit({ home, settings: file, port: await freePort() });
    await run("/bin/sh", ["-c", unit.commands.restart]);
    await expect.poll(unit.output).toContain("The server cannot start");
    await unit.stop();
    return unit.output();
  },
  "the doctor": () => fail("node", ["scripts/tool.mjs", "doctor", "--env", file]),
  "the build on a serverless host": () =>
    fail("npm", ["run", "prebuild"], { ...serverlessBuilds.production, ...misspelled }),
};

for (const [name, start] of Object.entries(starts))
  test(`${name} names each misspelled setting`, async () => {
    const output = await start();
    expect(output).toContain("DAILY_LIKES_LIMIT: there is no such setting; did you mean DAILY_LIKE_LIMIT?");
    expect(output).toContain("did you mean MAX_REQUESTS_PER_IP_PER_DAY?");
  });

/** Runs a command to its end, which must be a failure. Returns its output. */
async function fail(program: string, args: string[], env: Record<string, string> = {}) {
  const running = startInBackground(program, args, {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, NODE_ENV: "production", ...env },
  });
  expect(await running.ended).toBe(1);
  return running.output();
}
