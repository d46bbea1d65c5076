import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { installFromDebian } from "./install.mjs";
import { findProgram, packageOf } from "./programs.mjs";
import { accepts, freePort, isAlive, pause, Refusal, refuseWhenStopping, root, say } from "./run.mjs";

const preferredPort = 6399;
const startTimeoutMs = 20_000;
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

/** The local Redis that this process uses. */
let inUse;

/**
 * Makes sure there is a Redis, and gives the environment that points the application at it: empty when the
 * configuration does so already.
 */
export async function ensureRedis(configuration) {
  if (configuration.REDIS_URL || configuration.UPSTASH_REDIS_REST_URL) {
    // Beside sentinels its host is a name that only they know.
    if (configuration.REDIS_URL && !configuration.REDIS_SENTINELS)
      await requireReachable(configuration.REDIS_URL);
    return { env: {}, description: "the configured one" };
  }
  const server = (await reuseLeftOver()) ?? (await startServer(await requireBinary()));
  return {
    env: { REDIS_URL: `redis://127.0.0.1:${server.port}` },
    description: `127.0.0.1:${server.port}, data in .data/redis`,
  };
}

async function requireBinary() {
  const present = findProgram("redis");
  if (present) return present;
  if (await installFromDebian([packageOf("redis")])) {
    const installed = findProgram("redis");
    if (installed) {
      say(
        "Debian may have started a Redis service on port 6379 as well; this project does not use that one.",
      );
      return installed;
    }
  }
  throw new Refusal(threeWays);
}

/** Only that something listens: the address may hold a password, and is therefore never shown. */
async function requireReachable(address) {
  let url;
  try {
    url = new URL(address);
  } catch {
    throw new Refusal("REDIS_URL is not an address. It should look like redis://localhost:6379");
  }
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const port = Number(url.port || 6379);
  if (await accepts(port, host, 5_000)) return;
  throw new Refusal(
    `REDIS_URL is configured, but nothing answers at ${url.hostname}, port ${port}.\n` +
      "Start that Redis, correct the address, or remove REDIS_URL to use a local one.",
  );
}

/** A Redis of this checkout that another run, perhaps one that was killed, left behind. */
async function reuseLeftOver() {
  mkdirSync(folder, { recursive: true });
  const record = readRecord();
  for (const port of new Set([record.port, preferredPort])) {
    if (!port) continue;
    const pid = await identify(port);
    if (pid === undefined) continue;
    say(`Using the Redis that is still running on port ${port}.`);
    return register({ pid, port });
  }
  return undefined;
}

/**
 * The process id of the Redis on this port, if it is ours: by its data folder, not by the recorded process id,
 * which may belong to some other program by now.
 */
async function identify(port) {
  const answer = await ask(port, ["PING", "CONFIG GET dir", "INFO server"]);
  if (!answer?.includes("+PONG") || !answer.includes(`\r\n${realpathSync(folder)}\r\n`)) return undefined;
  const pid = Number(/process_id:(\d+)/.exec(answer)?.[1]);
  return pid > 0 && isAlive(pid) ? pid : undefined;
}

async function startServer(binary) {
  const port = await freePort(preferredPort);
  refuseWhenStopping();
  const server = spawn(binary, serverArguments(port), {
    cwd: folder,
    // A session of its own: it must outlive a Ctrl-C until the application, which still writes, has ended.
    detached: true,
    stdio: "ignore",
  });
  let failed = false;
  server.once("error", () => (failed = true));
  server.once("exit", () => (failed = true));
  server.unref();
  if (server.pid) register({ pid: server.pid, port });

  const deadline = Date.now() + startTimeoutMs;
  while (!failed && Date.now() < deadline) {
    if ((await identify(port)) === server.pid) return { pid: server.pid, port };
    await pause(50);
  }
  if (!failed) await stopServer(server.pid);
  rmSync(recordFile, { force: true });
  inUse = undefined;
  refuseWhenStopping();
  throw new Refusal(`Redis (${binary}) did not start. The reason is at the end of .data/redis.log`);
}

function serverArguments(port) {
  return [
    ...["--port", String(port), "--bind", "127.0.0.1", "--dir", folder, "--logfile", logFile],
    ...["--appendonly", "yes", "--appendfsync", "everysec", "--save", ""],
    ...["--maxmemory-policy", "noeviction", "--daemonize", "no"],
  ];
}

/** Notes that this process uses the server, so that another run does not stop it at its own end. */
function register(server) {
  const users = readRecord().users.filter((user) => user !== process.pid && isAlive(user));
  writeRecord({ ...server, users: [...users, process.pid] });
  inUse = server;
  return server;
}

/** Stops the local Redis, unless another run of this checkout uses it too. */
export async function releaseRedis() {
  if (!inUse) return;
  const { pid } = inUse;
  const users = readRecord().users.filter((user) => user !== process.pid && isAlive(user));
  if (users.length > 0) return writeRecord({ ...inUse, users });
  await stopServer(pid);
  rmSync(recordFile, { force: true });
  inUse = undefined;
}

function readRecord() {
  try {
    const { pid, port, users } = JSON.parse(readFileSync(recordFile, "utf8"));
    return { pid, port, users: Array.isArray(users) ? users : [] };
  } catch {
    return { users: [] };
  }
}

function writeRecord(record) {
  mkdirSync(dataFolder, { recursive: true });
  writeFileSync(recordFile, `${JSON.stringify(record)}\n`);
}

/** SIGTERM makes Redis write out its append-only file before it ends. */
async function stopServer(pid) {
  for (const signal of ["SIGTERM", "SIGKILL"]) {
    if (!isAlive(pid)) return;
    process.kill(pid, signal);
    const deadline = Date.now() + 10_000;
    while (isAlive(pid) && Date.now() < deadline) await pause(50);
  }
}

/** Sends commands over a plain socket, before any package need be installed; undefined when nobody answers. */
export function ask(port, commands) {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1" });
    let answer = "";
    const finish = (result) => {
      socket.destroy();
      resolve(result);
    };
    socket.setTimeout(1_500, () => finish(undefined));
    socket.once("error", () => finish(undefined));
    socket.on("data", (chunk) => (answer += chunk.toString()));
    socket.once("end", () => finish(answer));
    // QUIT makes the server close the connection after the last answer: nothing need be parsed to know the end.
    socket.once("connect", () => socket.write([...commands, "QUIT", ""].join("\r\n")));
  });
}
