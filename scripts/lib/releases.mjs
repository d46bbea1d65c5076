import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";

const keptReleases = 5;
const keptAssetsMs = 7 * 24 * 3_600_000;

/**
 * The releases under a home such as /opt/boost50: `releases/<id>`, the link `current` to the one that runs, and `assets`,
 * the hashed files of this and earlier ones. Every step is whole or has not happened, wherever it is interrupted.
 */
export class Releases {
  #home;

  /** @param {string} home */
  constructor(home) {
    this.#home = home;
  }

  /**
   * Where a release lies.
   *
   * @param {string} id
   */
  folder(id) {
    return join(this.#home, "releases", id);
  }

  /** The release that `current` names, if any. */
  current() {
    const link = join(this.#home, "current");
    return existsSync(link) ? basename(readlinkSync(link)) : undefined;
  }

  /** The newest release that is older than the current one. */
  before() {
    const current = this.current();
    return this.#ids().findLast((id) => current !== undefined && id < current);
  }

  /**
   * Copies a standalone output. Settings that the framework copied into it stay out: the unit has its own.
   *
   * @param {string} id
   * @param {string} output
   */
  add(id, output) {
    const incoming = join(this.#home, "incoming");
    rmSync(incoming, { recursive: true, force: true });
    const filter = (source) => !(dirname(source) === output && basename(source).startsWith(".env"));
    cpSync(output, incoming, { recursive: true, verbatimSymlinks: true, filter });
    mkdirSync(join(this.#home, "releases"), { recursive: true });
    renameSync(incoming, this.folder(id));
  }

  /** @param {string} id */
  remove(id) {
    rmSync(this.folder(id), { recursive: true, force: true });
  }

  /**
   * Makes a release the current one. Its assets are there before anything refers to them, and those of the release that
   * goes are of this moment: pages with them were sent until now.
   *
   * @param {string} id
   */
  switchTo(id) {
    const current = this.current();
    for (const each of current ? [current, id] : [id]) this.#publishAssets(each);
    const link = join(this.#home, "current.next");
    rmSync(link, { force: true });
    symlinkSync(join("releases", id), link);
    renameSync(link, join(this.#home, "current"));
  }

  /**
   * Whether the web server has to read its part anew, when one release comes after another: paths and headers, which
   * are the same in most of them.
   *
   * @param {string | undefined} previous
   * @param {string} id
   */
  needsReload(previous, id) {
    if (!previous) return true;
    const [before, after] = [previous, id].map((each) =>
      webServerConfiguration(join(this.folder(each), "web")),
    );
    return before !== after;
  }

  /** Removes assets that no release had for a week, and releases except the newest and the two that are in use. */
  prune() {
    const assets = join(this.#home, "assets");
    for (const path of files(assets)) {
      const file = join(assets, path);
      if (Date.now() - statSync(file).mtimeMs > keptAssetsMs) rmSync(file);
    }
    const kept = [...this.#ids().slice(-keptReleases), this.current(), this.before()];
    for (const id of this.#ids()) if (!kept.includes(id)) this.remove(id);
  }

  /** Each file is put in place as a whole, and gets the time of now: an interrupted copy must not be kept by caches. */
  #publishAssets(id) {
    const from = join(this.folder(id), "web", "assets");
    const assets = join(this.#home, "assets");
    for (const path of files(from)) {
      const incoming = join(this.#home, "incoming-asset");
      copyFileSync(join(from, path), incoming);
      mkdirSync(dirname(join(assets, path)), { recursive: true });
      renameSync(incoming, join(assets, path));
    }
  }

  /** All of them, the oldest first: an id begins with its time. */
  #ids() {
    const folder = join(this.#home, "releases");
    return existsSync(folder) ? readdirSync(folder).sort() : [];
  }
}

/** What deploy/Caddyfile and deploy/nginx.conf import. */
function webServerConfiguration(web) {
  const names = readdirSync(web).filter((name) => /\.(?:caddy|nginx)$/.test(name));
  return JSON.stringify(names.sort().map((name) => [name, readFileSync(join(web, name), "utf8")]));
}

/** The files in a folder and below, as paths from it. */
function files(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(folder.length + 1));
}
