import fs from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Releases } from "./releases.mjs";

const dayMs = 24 * 3_600_000;
let home = "";
let releases = new Releases("");
beforeEach(() => {
  home = fs.mkdtempSync(join(tmpdir(), "home-"));
  releases = new Releases(home);
});
afterEach(() => fs.rmSync(home, { recursive: true }));

/** Creates a standalone output with these assets. */
function output(...assets: string[]): string {
  const folder = fs.mkdtempSync(join(home, "output-"));
  for (const path of ["server.js", ".env", ".next/BUILD_ID", ...assets.map((name) => `web/assets/${name}`)]) {
    fs.mkdirSync(dirname(join(folder, path)), { recursive: true });
    fs.writeFileSync(join(folder, path), path);
  }
  return folder;
}

function release(id: string, ...assets: string[]): void {
  releases.add(id, output(...assets));
  releases.switchTo(id);
}

/** Sets the date of an asset to a number of days ago. */
function age(asset: string, days: number): void {
  const then = new Date(Date.now() - days * dayMs);
  fs.utimesSync(join(home, "assets", asset), then, then);
}

it("adds a release that every user may read, also from an output that only its owner may read", () => {
  const own = output("a.js");
  for (const path of [own, join(own, "web"), join(own, "server.js")]) fs.chmodSync(path, 0o700);
  releases.add("1", own);
  for (const path of ["", "web", "server.js"])
    expect(fs.statSync(join(releases.folder("1"), path)).mode & 0o777).toBe(0o755);
});

it("leaves nothing behind if the disk is full, and refuses a second run", () => {
  const copy = jest.spyOn(fs, "cpSync");
  copy.mockImplementationOnce((_, to) => {
    fs.mkdirSync(String(to));
    throw Object.assign(new Error("full"), { code: "ENOSPC" });
  });
  expect(() => releases.add("1", output())).toThrow(/no space left/);
  expect(fs.existsSync(join(home, "incoming"))).toBe(false);
  // This process does not end before the next line.
  releases.lock();
  expect(() => releases.lock()).toThrow(/Another release is under way/);
  fs.writeFileSync(join(home, "lock"), "4194305");
  releases.lock();
});

it("adds a complete release without .env files, and does not make it the current one", () => {
  release("1", "_next/static/a.js");
  releases.add("2", output("_next/static/b.js"));
  expect(fs.readdirSync(releases.folder("2")).sort()).toEqual([".next", "before", "server.js", "web"]);
  expect(releases.current()).toBe("1");
  expect(fs.existsSync(join(home, "assets/_next/static/b.js"))).toBe(false);

  releases.switchTo("2");
  expect(fs.readlinkSync(join(home, "current"))).toBe("releases/2");
  expect(fs.readFileSync(join(home, "current/server.js"), "utf8")).toBe("server.js");
  expect(fs.readdirSync(join(home, "assets/_next/static")).sort()).toEqual(["a.js", "b.js"]);
});

it("keeps an asset for a week after the last release with it", () => {
  release("1", "forgotten.js", "last.js");
  release("2", "last.js");
  age("forgotten.js", 8);
  age("last.js", 30);
  release("3", "new.js");
  releases.prune();
  expect(fs.readdirSync(join(home, "assets")).sort()).toEqual(["last.js", "new.js"]);

  for (const days of [6.9, 7.1]) {
    age("last.js", days);
    releases.prune();
    expect(fs.existsSync(join(home, "assets/last.js"))).toBe(days < 7);
  }
});

it("keeps the newest releases, the current one and the one that ran before it", () => {
  for (const id of ["1", "2", "3", "4", "5", "6", "7"]) releases.add(id, output("a.js"));
  releases.switchTo("2");
  release("8", "a.js");
  expect(releases.before()).toBe("2");
  releases.prune();
  expect(fs.readdirSync(join(home, "releases"))).toEqual(["2", "4", "5", "6", "7", "8"]);
});

it("goes back through the releases that ran, and past one that was left", () => {
  for (const id of ["1", "2", "3"]) release(id, "a.js");
  releases.switchTo("2");
  release("4", "a.js");
  const ran = [];
  for (let id = releases.before(); id; id = releases.before()) {
    ran.push(id);
    releases.switchTo(id);
  }
  expect(ran).toEqual(["2", "1"]);
});

it("ignores the rest of an interrupted release", () => {
  release("1", "a.js");
  fs.mkdirSync(join(home, "incoming", "web"), { recursive: true });
  fs.writeFileSync(join(home, "incoming-asset"), "half");
  fs.writeFileSync(join(home, "current.next"), "");
  release("2", "b.js");
  expect(fs.readFileSync(join(home, "assets", "b.js"), "utf8")).toBe("web/assets/b.js");
  expect(fs.existsSync(join(home, "current", "web", "assets", "b.js"))).toBe(true);
  expect(fs.readdirSync(join(home, "releases"))).toEqual(["1", "2"]);
});
