import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { installFromDebian } from "./install.mjs";
import { accepts, freePort } from "./ports.mjs";
import { pause, root, say, start, UserError } from "./processes.mjs";
import { findProgram, packageOf } from "./programs.mjs";

/*
 * The local Redis of a checkout, for scripts that have installed the npm packages. Other scripts can use the server until the
 * script that started it ends.
 */

const preferredPort = 6399;
const startTimeoutMs = 20_000;
const responseTimeoutMs = 1_500;
const dataFolder = join(root, ".data");
const folder = join(dataFolder, "redis");
const logFile = join(dataFolder, "redis.log");
/** The port of the last server that a script has started. */
const portFile = join(dataFolder, "redis.port");

const threeWays = `There is no Redis to keep the visitors' data in. Three ways to get one:

  1. Install one, then run this command again:
       Debian, Ubuntu   sudo apt-get install redis-server
       Fedora           sudo dnf install valkey
       macOS            brew install redis
  2. Run one with Docker, and write REDIS_URL=redis://localhost:6379 into a file named .env.local:
       docker run --detach --publish 127.0.0.1:6379:6379 redis
  3. Use a hosted one: write its address into .env.local as REDIS_URL, or, for a database of Upstash,
     its UPSTASH_REDIS_REST_URL and UPSTASH_REDIS_REST_TOKEN.`;

/**
 * Checks the configured Redis, or starts a local one. Returns the environment variables that the application needs for
 * it, and its description for the user.
 */
export async function ensureRedis(configuration) {
  if (configuration.REDIS_URL || configuration.UPSTASH_REDIS_REST_URL) {
    // With sentinels, the host in REDIS_URL is not a host name.
    if (configuration.REDIS_URL && !configuration.REDIS_SENTINELS)
      await requireReachable(configuration.REDIS_URL);
    return { env: {}, description: "the configured one" };
  }
  const port = (await findServer()) ?? (await startServer(await requireBinary()));
  return {
    env: { REDIS_URL: `redis://127.0.0.1:${port}` },
    description: `127.0.0.1:${port}, data in .data/redis`,
  };
}

async function requireBinary() {
  const found = findProgram("redis");
  if (found) return found;
  const installed = (await installFromDebian([packageOf("redis")])) && findProgram("redis");
  if (!installed) throw new UserError(threeWays);
  say("Debian may have started a Redis service on port 6379 as well; this project does not use that one.");
  return installed;
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

/** Returns the port of the server that another script of this checkout has started. */
async function findServer() {
  mkdirSync(folder, { recursive: true });
  const port = existsSync(portFile) ? Number(readFileSync(portFile, "utf8")) : 0;
  if (!port || !(await isReady(port))) return undefined;
  // Standard output can be a CSV file.
  console.error(`Using the Redis on port ${port}, which stops with the command that started it.`);
  return port;
}

/** Returns whether a server on the port uses the data folder of this checkout, and has loaded its data. */
async function isReady(port) {
  const { default: Redis } = await import("ioredis");
  const client = new Redis(port, "127.0.0.1", {
    lazyConnect: true,
    retryStrategy: () => null,
    connectTimeout: responseTimeoutMs,
    commandTimeout: responseTimeoutMs,
  });
  client.on("error", () => undefined);
  try {
    await client.connect();
    const [, dataPlace] = await client.config("GET", "dir");
    return dataPlace === realpathSync(folder);
  } catch {
    return false;
  } finally {
    client.disconnect();
  }
}

async function startServer(binary) {
  const port = await freePort(preferredPort);
  const args = [
    ...["--port", String(port), "--bind", "127.0.0.1", "--dir", folder, "--logfile", logFile],
    ...["--appendonly", "yes", "--appendfsync", "everysec", "--save", ""],
    ...["--maxmemory-policy", "noeviction", "--daemonize", "no"],
  ];
  writeFileSync(portFile, String(port));
  const server = start(binary, args, { cwd: folder, stdio: "ignore" });
  const deadline = Date.now() + startTimeoutMs;
  while (!server.hasEnded() && Date.now() < deadline) {
    if (await isReady(port)) return port;
    await pause(50);
  }
  throw new UserError(`Redis (${binary}) did not start. The reason is at the end of .data/redis.log`);
}
