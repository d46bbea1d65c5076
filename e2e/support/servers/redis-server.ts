import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startInBackground, stop, type Running } from "@/scripts/lib/processes.mjs";
import { findCommand, requireProgram } from "@/scripts/lib/programs.mjs";
import { freePort } from "../ports";

const startTimeoutMs = 15_000;

export interface RedisServer {
  /** `redis://127.0.0.1:<port>` */
  readonly url: string;
  readonly port: number;
  /** The server's working directory; it holds the append-only file and goes away with `stop()`. */
  readonly dir: string;
  /** Ends the server cleanly and deletes its directory. Harmless when called twice. */
  stop(): Promise<void>;
  /** SIGSTOP: connections stay open and connectable, and nothing is answered any more. */
  freeze(): void;
  /** SIGCONT: the opposite of `freeze()`. */
  thaw(): void;
  /** SIGKILL, as a crash would; `restart()` brings it back. */
  kill(): Promise<void>;
  /** Starts it again on the same port and directory; what it still knows depends on `appendOnly`. */
  restart(settings?: Settings): Promise<void>;
}

/** "always" writes to the disk before every answer, true once a second. */
type AppendOnly = boolean | "always";

/** Lines of its configuration file, as arguments; those of the tests' own come first. */
type Settings = readonly string[];

interface Launch {
  binary: string;
  dir: string;
  settings: Settings;
}

/** Starts a real, empty Redis (or Valkey) of the test's own. Without a binary the test fails; it is never skipped. */
export async function startRedis({
  appendOnly = false,
  binary = requireProgram("redis"),
  settings = [],
}: { appendOnly?: AppendOnly; binary?: string; settings?: Settings } = {}): Promise<RedisServer> {
  const dir = mkdtempSync(join(tmpdir(), "test-redis-"));
  try {
    const what = { binary, dir, settings: [...persistence(appendOnly), ...settings] };
    const { port, running } = await launchOnFreePort(what);
    return control(what, port, running);
  } catch (error) {
    rmSync(dir, { recursive: true, force: true });
    throw error;
  }
}

function control(what: Launch, port: number, first: Running): RedisServer {
  const { dir } = what;
  let running = first;
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    dir,
    freeze: () => void running.child.kill("SIGSTOP"),
    thaw: () => void running.child.kill("SIGCONT"),
    kill: () => stop(running, "SIGKILL"),
    async restart(settings = []) {
      await stop(running);
      running = await launch({ ...what, settings: [...what.settings, ...settings] }, port);
    },
    async stop() {
      await stop(running);
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** The port found free may be taken before Redis gets it, hence a few attempts. */
async function launchOnFreePort(what: Launch): Promise<{ port: number; running: Running }> {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    try {
      return { port, running: await launch(what, port) };
    } catch (error) {
      if (attempt === 3 || !String(error).includes("in use")) throw error;
    }
  }
}

async function launch({ binary, dir, settings }: Launch, port: number): Promise<Running> {
  const ours = ["--port", String(port), "--bind", "127.0.0.1", "--dir", dir, "--save", ""];
  const args = [...ours, "--maxmemory-policy", "noeviction", "--daemonize", "no", ...settings];
  const running = startInBackground(binary, args);
  if (await answersInTime(port, running)) return running;
  await stop(running, "SIGKILL");
  throw new Error(`${binary} did not start on port ${port}:\n${running.output()}`);
}

function persistence(appendOnly: AppendOnly): Settings {
  const when = appendOnly === "always" ? "always" : "everysec";
  return ["--appendonly", appendOnly ? "yes" : "no", "--appendfsync", when];
}

/** Waits for the server's own first PONG; false when it ended (a port taken by another Redis must not count). */
async function answersInTime(port: number, running: Running): Promise<boolean> {
  const deadline = Date.now() + startTimeoutMs;
  while (!running.hasEnded() && Date.now() < deadline) {
    if ((await ping(port)) && !running.hasEnded()) {
      // A server that lost its port to another one says so and ends: give it the moment to do so.
      await pause(20);
      return !running.hasEnded();
    }
    await pause(25);
  }
  return false;
}

/** One PING over a socket of its own; the tests' Redis client stays out of it. */
function ping(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const finish = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(1_000, () => finish(false));
    socket.once("error", () => finish(false));
    socket.once("close", () => finish(false));
    socket.once("connect", () => socket.write("PING\r\n"));
    socket.once("data", (data) => finish(data.toString().startsWith("+PONG")));
  });
}

/** Whether a program of that name can be run. */
export function hasBinary(name: string): boolean {
  return findCommand(name) !== undefined;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
