import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { root } from "./run.mjs";

/**
 * Runs work that makes folders of the checkout anew, and gives back those that were there. A build's
 * cache is there for the work as well.
 *
 * @template Result
 * @param {string[]} names such as .next
 * @param {() => Promise<Result>} work
 * @returns {Promise<Result>}
 */
export async function withAside(names, work) {
  const place = join(root, ".data", "aside");
  rmSync(place, { recursive: true, force: true });
  mkdirSync(place, { recursive: true });
  const put = names.filter((name) => existsSync(join(root, name)));
  for (const name of put) renameSync(join(root, name), join(place, name));
  // What was compiled before is not compiled again: it is most of a build's time.
  const cache = join(place, ".next", "cache");
  if (existsSync(cache)) cpSync(cache, join(root, ".next", "cache"), { recursive: true });
  try {
    return await work();
  } finally {
    for (const name of names) rmSync(join(root, name), { recursive: true, force: true });
    for (const name of put) renameSync(join(place, name), join(root, name));
    rmSync(place, { recursive: true, force: true });
  }
}
