import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/* e2e/hosting/release.test.ts tests releases of real builds. */

const folder = mkdtempSync(join(tmpdir(), "release-"));
const root = join(__dirname, "..");
const checkout = join(folder, "checkout");
beforeAll(() => {
  // The copy contains changes that are not committed yet.
  const copy = `git clone --quiet --shared . "$1"
    cp -r scripts .dockerignore "$1" && ln -s "$PWD/node_modules" "$1" && cd "$1" && git add scripts .dockerignore
    git -c user.name=a -c user.email=a@b commit --quiet --allow-empty --message Copy`;
  execFileSync("/bin/sh", ["-ec", copy, "sh", checkout], { cwd: root });
});
afterAll(() => rmSync(folder, { recursive: true }));

it.each([
  [
    "lib/uncommitted-change.txt",
    [],
    /uncommitted changes:\n[^]*\?\? lib.uncommitted-change.txt\n[^]*--uncommitted/,
  ],
  ["lib/uncommitted-change.txt", ["--uncommitted"], /The build failed/],
  ["backup.rdb", [], /The build failed/],
])(
  "refuses to build uncommitted changes of what a build needs, unless asked for: %s %s",
  (file, args, says) => {
    writeFileSync(join(checkout, file), "");
    const settings = join(folder, "settings.env");
    writeFileSync(settings, "");
    // Replaces the build.
    writeFileSync(join(folder, "npm"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
    const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
    const all = ["scripts/release.mjs", "--home", join(folder, "home"), "--env", settings, ...args];
    const { status, stderr } = spawnSync(process.execPath, all, { cwd: checkout, env, encoding: "utf8" });
    rmSync(join(checkout, file));
    expect(stderr).toMatch(says);
    expect(status).toBe(1);
  },
);
