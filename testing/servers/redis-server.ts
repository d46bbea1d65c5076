import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startInBackground, stop, type Running } from "@/scripts/lib/processes.mjs";
import { requireProgram } from "@/scripts/lib/programs.mjs";
import { freePort } from "@/scripts/lib/ports.mjs";
import { until } from "../until";

export interface RedisServer {
  /** `redis://127.0.0.1:<port>` */
  readonly url: string;
  readonly port: number;
  /** The working directory, which contains the append-only file. `stop` deletes it. */
  readonly dir: string;
  stop(): Promise<void>;
  /** Sends SIGSTOP. Connections stay open, and get no responses until `thaw`. */
  freeze(): void;
  thaw(): void;
  /** Sends SIGKILL. */
  kill(): Promise<void>;
  /** Starts the server again, on the same port and directory, with additional settings. */
  restart(settings?: readonly string[]): Promise<void>;
}

export interface RedisOptions {
  binary?: string;
  /** Arguments, for example "--appendonly", "yes". By default, Redis writes no file. */
  settings?: readonly string[];
}

/** Starts an empty Redis or Valkey. Throws if the program is missing. */
export async function startRedis({
  binary = requireProgram("redis"),
  settings = [],
}: RedisOptions = {}): Promise<RedisServer> {
  const dir = mkdtempSync(join(tmpdir(), "test-redis-"));
  let port = 0;
  let running: Running;
  const launch = async (more: readonly string[] = []) => {
    const own = ["--port", String(port), "--bind", "127.0.0.1", "--dir", dir, "--save", ""];
    running = startInBackground(binary, [...own, ...settings, ...more]);
    const { hasEnded, output } = running;
    const isReady = () => output().includes("Ready to accept connections");
    await until(`${binary} is ready`, () => isReady() || hasEnded(), 15_000);
    if (!isReady()) throw new Error(`${binary} did not start:\n${output()}`);
  };
  // Another program can take a free port before Redis does.
  for (let attempts = 1; port === 0; attempts += 1) {
    port = await freePort();
    await launch().catch((error: unknown) => {
      if (attempts === 3) throw error;
      port = 0;
    });
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    dir,
    freeze: () => void running.child.kill("SIGSTOP"),
    thaw: () => void running.child.kill("SIGCONT"),
    kill: () => stop(running, "SIGKILL"),
    async restart(more) {
      await stop(running);
      await launch(more);
    },
    async stop() {
      await stop(running);
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
