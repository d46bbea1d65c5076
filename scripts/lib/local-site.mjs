import { randomBytes } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { installFromDebian, readJson } from "./install.mjs";
import { accepts, freePort } from "./ports.mjs";
import { pause, root, startInBackground, UserError } from "./processes.mjs";
import { findProgram, packageOf } from "./programs.mjs";

/* What local runs add to the settings: a Redis and secrets of this checkout, in .data. */

const redisFolder = join(root, ".data", "redis");
const secretsFile = join(root, ".data", "secrets.json");
/** The process that has started the local site or its Redis, and the settings that it added. */
const runningFile = join(root, ".data", "running.json");

const threeWays = `There is no Redis to keep the visitors' data in. Three ways to get one:

  1. Install one, then run this command again:
       Debian, Ubuntu   sudo apt-get install redis-server
       Fedora           sudo dnf install valkey
       macOS            brew install redis
  2. Run one with Docker, and write REDIS_URL=redis://localhost:6379 into a file named .env.local:
       docker run --detach --publish 127.0.0.1:6379:6379 redis
  3. Use a hosted one: write its address into .env.local as REDIS_URL, or, for a database of Upstash,
     its UPSTASH_REDIS_REST_URL and UPSTASH_REDIS_REST_TOKEN.`;

/** Returns the settings that a local run needs and the configuration lacks. Starts a Redis, or checks the configured one. */
export async function localSettings(configuration) {
  return { ...(await ensureRedis(configuration)), ...localSecrets(configuration) };
}

/** Stores the settings that this process has added, until `forgetSettings`. */
export function rememberSettings(settings) {
  writePrivately(runningFile, { pid: process.pid, settings });
}

/** Deletes the stored settings, unless another process has stored them. */
export function forgetSettings() {
  if (readJson(runningFile).pid === process.pid) rmSync(runningFile);
}

/** Returns the settings that a running `npm run quickstart` has added, or undefined if none is running. */
export function runningSettings() {
  const { pid, settings } = readJson(runningFile);
  try {
    return pid && process.kill(pid, 0) ? settings : undefined;
  } catch {
    return undefined;
  }
}

async function ensureRedis({ REDIS_URL, REDIS_SENTINELS, UPSTASH_REDIS_REST_URL }) {
  // With sentinels, the host in REDIS_URL is not a host name.
  if (REDIS_URL && !REDIS_SENTINELS) await requireReachable(REDIS_URL);
  if (REDIS_URL || UPSTASH_REDIS_REST_URL) return {};
  const running = runningSettings()?.REDIS_URL;
  if (running && (await accepts(Number(new URL(running).port), "127.0.0.1"))) {
    // Standard output can be a CSV file.
    console.error(`Using ${running}, which stops with the command that started it.`);
    return { REDIS_URL: running };
  }
  const settings = { REDIS_URL: `redis://127.0.0.1:${await startRedis()}` };
  rememberSettings(settings);
  return settings;
}

/** Throws if nothing listens at the URL. The message does not contain the URL, because the URL can contain a password. */
async function requireReachable(address) {
  if (!URL.canParse(address))
    throw new UserError("REDIS_URL is not an address. It should look like redis://localhost:6379");
  const { hostname, port } = new URL(address);
  if (await accepts(Number(port || 6379), hostname.replace(/^\[|\]$/g, ""))) return;
  throw new UserError(
    `REDIS_URL is configured, but nothing answers at ${hostname}, port ${port || 6379}.\n` +
      "Start that Redis, correct the address, or remove REDIS_URL to use a local one.",
  );
}

/** Starts the Redis of this checkout, and installs the program if necessary. Returns its port. */
async function startRedis() {
  if (!findProgram("redis")) await installFromDebian([packageOf("redis")]);
  const program = findProgram("redis");
  if (!program) throw new UserError(threeWays);
  mkdirSync(redisFolder, { recursive: true });
  const port = await freePort(6399);
  const server = startInBackground(program, [
    ...["--port", String(port), "--bind", "127.0.0.1", "--dir", redisFolder, "--save", ""],
    ...["--appendonly", "yes", "--appendfsync", "everysec", "--maxmemory-policy", "noeviction"],
  ]);
  // Redis accepts connections before it has loaded its file.
  while (!server.output().includes("Ready to accept connections")) {
    if (server.hasEnded()) throw new UserError(`Redis (${program}) did not start:\n${server.output()}`);
    await pause(50);
  }
  return port;
}

/** Returns the secrets that the configuration lacks. Stores them, so that cookies stay valid after a restart. */
function localSecrets(configuration) {
  const missing = ["SESSION_SECRET", "VISITOR_HASH_SECRET"].filter((name) => !configuration[name]);
  if (missing.length === 0) return {};
  const stored = readJson(secretsFile);
  const newSecret = () => randomBytes(48).toString("base64url");
  const secrets = Object.fromEntries(missing.map((name) => [name, stored[name] ?? newSecret()]));
  writePrivately(secretsFile, { ...stored, ...secrets });
  return secrets;
}

/** Writes a file that only its owner may read. The mode counts only for new files. */
function writePrivately(file, content) {
  mkdirSync(dirname(file), { recursive: true });
  rmSync(file, { force: true });
  writeFileSync(file, JSON.stringify(content), { mode: 0o600 });
}
