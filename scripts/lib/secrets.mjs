import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "./processes.mjs";

const file = join(root, ".data", "secrets.json");
const names = ["SESSION_SECRET", "VISITOR_HASH_SECRET"];

/**
 * Returns the secrets that the configuration lacks, for local runs. Stores them in .data/secrets.json, so that cookies stay
 * valid after a restart.
 */
export function localSecrets(configured) {
  const missing = names.filter((name) => !configured[name]);
  if (missing.length === 0) return {};
  const stored = readStored();
  const secrets = Object.fromEntries(
    missing.map((name) => [name, stored[name] ?? randomBytes(48).toString("base64url")]),
  );
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify({ ...stored, ...secrets }, null, 2)}\n`, { mode: 0o600 });
  // writeFileSync sets the mode only of new files.
  chmodSync(file, 0o600);
  return secrets;
}

function readStored() {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return {};
  }
}
