import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./run.mjs";

const names = ["SESSION_SECRET", "VISITOR_HASH_SECRET"];

/**
 * The secrets that the configuration leaves out, made once per checkout and kept, so that a restart does not sign
 * everybody out. Only for local runs: a deployment sets its own.
 */
export function localSecrets(configured) {
  const missing = names.filter((name) => !configured[name]);
  if (missing.length === 0) return {};
  const folder = join(root, ".data");
  const path = join(folder, "secrets.json");
  const kept = readKept(path);
  const secrets = Object.fromEntries(
    names.map((name) => [name, kept[name] ?? randomBytes(48).toString("base64url")]),
  );
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  // The mode above counts only for a new file.
  chmodSync(path, 0o600);
  return Object.fromEntries(missing.map((name) => [name, secrets[name]]));
}

function readKept(path) {
  try {
    const kept = JSON.parse(readFileSync(path, "utf8"));
    const usable = Object.entries(kept).filter(
      ([, value]) => typeof value === "string" && value.length >= 32,
    );
    return Object.fromEntries(usable);
  } catch {
    return {};
  }
}
