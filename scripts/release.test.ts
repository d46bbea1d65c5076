import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/* e2e/hosting/release.test.ts tests releases of real builds. */

const folder = mkdtempSync(join(tmpdir(), "release-"));
const changed = join(__dirname, "..", "uncommitted-change.txt");
afterAll(() => [folder, changed].map((path) => rmSync(path, { recursive: true })));

it.each([
  [[], /uncommitted changes:\n[^]*\?\? uncommitted-change.txt\n[^]*--uncommitted/],
  [["--uncommitted"], /The build failed/],
])("refuses to build uncommitted changes, unless asked for: %s", (args, says) => {
  writeFileSync(changed, "");
  const settings = join(folder, "settings.env");
  writeFileSync(settings, "");
  // Replaces the build.
  writeFileSync(join(folder, "npm"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
  const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
  const all = ["scripts/release.mjs", "--home", join(folder, "home"), "--env", settings, ...args];
  const { status, stderr } = spawnSync(process.execPath, all, { env, encoding: "utf8" });
  expect(stderr).toMatch(says);
  expect(status).toBe(1);
});
