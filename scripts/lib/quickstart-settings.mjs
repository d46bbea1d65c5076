import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "./processes.mjs";

/* The settings that a running `npm run quickstart` has chosen. The doctor uses them. */

const file = join(root, ".data", "quickstart.json");

/** Stores the settings until `forgetQuickstart`. */
export function rememberQuickstart(settings) {
  mkdirSync(dirname(file), { recursive: true });
  rmSync(file, { force: true });
  writeFileSync(file, JSON.stringify({ pid: process.pid, settings }), { mode: 0o600 });
}

/** Deletes the settings, unless another quickstart has stored them. */
export function forgetQuickstart() {
  if (readStored()?.pid === process.pid) rmSync(file);
}

/** Returns the settings of the running quickstart, or undefined if none is running. */
export function runningQuickstart() {
  const stored = readStored();
  try {
    if (stored && process.kill(stored.pid, 0)) return stored.settings;
  } catch {
    // The process was killed.
  }
  return undefined;
}

function readStored() {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}
