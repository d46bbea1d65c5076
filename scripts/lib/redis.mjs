import { mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { installFromDebian } from "./install.mjs";
import { accepts, freePort } from "./ports.mjs";
import { pause, root, say, start, stop, UserError } from "./processes.mjs";
import { findProgram, packageOf } from "./programs.mjs";

/*
 * The local Redis of a checkout, for scripts. Several runs can use the same server: .data/redis.json lists their process
 * ids, and the last run stops the server.
 */

const preferredPort = 6399;
const startTimeoutMs = 20_000;
const stopTimeoutMs = 10_000;
const dataFolder = join(root, ".data");
const folder = join(dataFolder, "redis");
const logFile = join(dataFolder, "redis.log");
const recordFile = join(dataFolder, "redis.json");

const threeWays = `There is no Redis to keep the visitors' data in. Three ways to get one:

  1. Install one, then run this command again:
       Debian, Ubuntu   sudo apt-get install redis-server
       Fedora           sudo dnf install valkey
       macOS            brew install redis
  2. Run one with Docker, and write REDIS_URL=redis://localhost:6379 into a file named .env.local:
       docker run --detach --publish 127.0.0.1:6379:6379 redis
  3. Use a hosted one: write its address into .env.local as REDIS_URL, or, for a database of Upstash,
     its UPSTASH_REDIS_REST_URL and UPSTASH_REDIS_REST_TOKEN.`;

/** Process id and port of the local server that this process uses. */
let inUse;

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
  inUse = (await findServer()) ?? (await startServer(await requireBinary()));
  return {
    env: { REDIS_URL: `redis://127.0.0.1:${inUse.port}` },
    description: `127.0.0.1:${inUse.port}, data in .data/redis`,
  };
}

/** Stops the local Redis, unless another run of this checkout uses it. */
export async function releaseRedis() {
  if (!inUse) return;
  const users = otherUsers();
  if (users.length > 0) return writeRecord({ ...inUse, users });
  await stopServer(inUse.pid);
  forget();
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

/** Returns the server of this checkout that another run has started, also if that run was killed. */
async function findServer() {
  mkdirSync(folder, { recursive: true });
  for (const port of new Set([readRecord().port, preferredPort])) {
    const pid = port && (await identify(port));
    if (!pid) continue;
    say(`Using the Redis that is still running on port ${port}.`);
    return register({ pid, port });
  }
  return undefined;
}

/**
 * Returns the process id of the server on a port if it uses the data folder of this checkout. The recorded process id is
 * not enough, because another program can have it.
 */
async function identify(port) {
  const response = await send(port, ["PING", "CONFIG GET dir", "INFO server"]);
  if (!response?.includes("+PONG") || !response.includes(`\r\n${realpathSync(folder)}\r\n`)) return undefined;
  const pid = Number(/process_id:(\d+)/.exec(response)?.[1]);
  return pid > 0 && isAlive(pid) ? pid : undefined;
}

async function startServer(binary) {
  const port = await freePort(preferredPort);
  const args = [
    ...["--port", String(port), "--bind", "127.0.0.1", "--dir", folder, "--logfile", logFile],
    ...["--appendonly", "yes", "--appendfsync", "everysec", "--save", ""],
    ...["--maxmemory-policy", "noeviction", "--daemonize", "no"],
  ];
  const server = start(binary, args, { cwd: folder, stdio: "ignore", outlives: true });
  const { pid } = server.child;
  if (pid) inUse = register({ pid, port });

  const deadline = Date.now() + startTimeoutMs;
  while (!server.hasEnded() && Date.now() < deadline) {
    if ((await identify(port)) === pid) return inUse;
    await pause(50);
  }
  await stop(server);
  forget();
  throw new UserError(`Redis (${binary}) did not start. The reason is at the end of .data/redis.log`);
}

/** Records that this process uses the server. */
function register(server) {
  writeRecord({ ...server, users: [...otherUsers(), process.pid] });
  return server;
}

function otherUsers() {
  return readRecord().users.filter((user) => user !== process.pid && isAlive(user));
}

function readRecord() {
  try {
    return { users: [], ...JSON.parse(readFileSync(recordFile, "utf8")) };
  } catch {
    return { users: [] };
  }
}

function writeRecord(record) {
  writeFileSync(recordFile, `${JSON.stringify(record)}\n`);
}

function forget() {
  inUse = undefined;
  rmSync(recordFile, { force: true });
}

/** Stops a server. After SIGTERM, Redis writes its append-only file. */
async function stopServer(pid) {
  for (const signal of ["SIGTERM", "SIGKILL"]) {
    const deadline = Date.now() + stopTimeoutMs;
    if (isAlive(pid)) process.kill(pid, signal);
    while (isAlive(pid) && Date.now() < deadline) await pause(50);
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

/** Sends commands without a Redis client, because npm packages may be missing. Returns undefined without a response. */
function send(port, commands) {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1" });
    let response = "";
    const finish = (result) => {
      socket.destroy();
      resolve(result);
    };
    socket.setTimeout(1_500, () => finish(undefined));
    socket.once("error", () => finish(undefined));
    socket.on("data", (chunk) => (response += chunk.toString()));
    socket.once("end", () => finish(response));
    // After QUIT, the server closes the connection. The end of the response needs no parser.
    socket.once("connect", () => socket.write([...commands, "QUIT", ""].join("\r\n")));
  });
}
