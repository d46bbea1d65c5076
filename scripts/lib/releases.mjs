import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { basename, dirname, join } from "node:path";
import { UserError } from "./processes.mjs";

const keptReleases = 5;
const keptAssetsMs = 7 * 24 * 3_600_000;

/**
 * The releases in a folder such as /opt/boost50: `releases/<id>`, the link `current` to the current release, and `assets` with
 * the hashed files of this release and earlier ones. Every step is atomic.
 */
export class Releases {
  #home;

  constructor(home) {
    this.#home = home;
  }

  /** Returns the folder of a release. */
  folder(id) {
    return join(this.#home, "releases", id);
  }

  /** Returns the id of the current release, or undefined. */
  current() {
    const link = join(this.#home, "current");
    return fs.existsSync(link) ? basename(fs.readlinkSync(link)) : undefined;
  }

  /** Returns the id of the release that ran when the current one was added, or undefined. */
  before() {
    const file = join(this.#home, "current", "before");
    const id = fs.existsSync(file) ? fs.readFileSync(file, "utf8") : "";
    return this.#ids().find((each) => each === id);
  }

  /** Refuses a second run until this process ends, because two runs would switch each other's releases back. */
  lock() {
    const file = join(this.#home, "lock");
    fs.mkdirSync(this.#home, { recursive: true });
    const holder = fs.existsSync(file) && fs.readFileSync(file, "utf8");
    // After a power failure, another process can have the id.
    if (holder && fs.existsSync(`/proc/${holder}`))
      throw new UserError(
        `Another release is under way: process ${holder}. If it is no release, delete ${file}.`,
      );
    fs.rmSync(file, { force: true });
    fs.writeFileSync(file, `${process.pid}`, { flag: "wx" });
    process.once("exit", () => fs.rmSync(file, { force: true }));
  }

  /** Adds a standalone output as a release that all users may read. Omits .env files, which Next.js copies into the output. */
  add(id, output) {
    const incoming = join(this.#home, "incoming");
    fs.rmSync(incoming, { recursive: true, force: true });
    const filter = (source) => !(dirname(source) === output && basename(source).startsWith(".env"));
    try {
      fs.cpSync(output, incoming, { recursive: true, verbatimSymlinks: true, filter });
      // A clone can have modes that only its owner may read.
      execFileSync("chmod", ["-R", "go=u-w", incoming]);
      fs.writeFileSync(join(incoming, "before"), this.current() ?? "");
      fs.mkdirSync(join(this.#home, "releases"), { recursive: true });
      fs.renameSync(incoming, this.folder(id));
    } catch (error) {
      // Redis may need the same disk.
      fs.rmSync(incoming, { recursive: true, force: true });
      if (error.code !== "ENOSPC") throw error;
      throw new UserError(`There is no space left in ${this.#home}. The running site is unchanged.`);
    }
  }

  remove(id) {
    fs.rmSync(this.folder(id), { recursive: true, force: true });
  }

  /**
   * Makes a release the current one. First copies its assets. Also renews the dates of the previous release's assets,
   * because visitors still have its pages open.
   */
  switchTo(id) {
    const current = this.current();
    for (const each of current ? [current, id] : [id]) this.#publishAssets(each);
    const link = join(this.#home, "current.next");
    fs.rmSync(link, { force: true });
    fs.symlinkSync(join("releases", id), link);
    fs.renameSync(link, join(this.#home, "current"));
  }

  /** Returns whether the web server must reload, because paths or headers of the releases differ. */
  needsReload(previous, id) {
    return !previous || this.#webServerConfiguration(previous) !== this.#webServerConfiguration(id);
  }

  /** Removes assets that no release has used for a week, and releases except the newest, the current and the previous. */
  prune() {
    const assets = join(this.#home, "assets");
    for (const path of files(assets)) {
      const file = join(assets, path);
      if (Date.now() - fs.statSync(file).mtimeMs > keptAssetsMs) fs.rmSync(file);
    }
    const kept = [...this.#ids().slice(-keptReleases), this.current(), this.before()];
    for (const id of this.#ids()) if (!kept.includes(id)) this.remove(id);
  }

  /** Copies each file to a temporary name and renames it, so that caches never get a part of a file. */
  #publishAssets(id) {
    const from = join(this.folder(id), "web", "assets");
    const assets = join(this.#home, "assets");
    for (const path of files(from)) {
      const incoming = join(this.#home, "incoming-asset");
      fs.copyFileSync(join(from, path), incoming);
      fs.mkdirSync(dirname(join(assets, path)), { recursive: true });
      fs.renameSync(incoming, join(assets, path));
    }
  }

  /** Returns the text of the files that deploy/Caddyfile imports. */
  #webServerConfiguration(id) {
    const web = join(this.folder(id), "web");
    const names = fs.readdirSync(web).filter((name) => name.endsWith(".caddy"));
    return JSON.stringify(names.sort().map((name) => [name, fs.readFileSync(join(web, name), "utf8")]));
  }

  /** Returns all ids, oldest first. An id begins with its time. */
  #ids() {
    const folder = join(this.#home, "releases");
    return fs.existsSync(folder) ? fs.readdirSync(folder).sort() : [];
  }
}

/** Returns the paths of all files in a folder and its subfolders, relative to the folder. */
function files(folder) {
  const isFile = (path) => fs.statSync(join(folder, path)).isFile();
  return fs.readdirSync(folder, { recursive: true }).filter(isFile);
}
