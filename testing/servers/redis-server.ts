import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import IORedis from "ioredis";
import { startInBackground, stop, type Running } from "@/scripts/lib/processes.mjs";
import { requireProgram } from "@/scripts/lib/programs.mjs";
import { freePort } from "@/scripts/lib/ports.mjs";
import { until } from "../until";

export type RedisServer = Awaited<ReturnType<typeof startRedis>>;

interface RedisOptions {
  binary?: string;
  /** Arguments, for example "--appendonly", "yes". By default, Redis writes no file. */
  settings?: readonly string[];
}

/** Starts an empty Redis or Valkey. Throws if the program is missing. */
export async function startRedis({ binary = requireProgram("redis"), settings = [] }: RedisOptions = {}) {
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
    /** The working directory, which contains the append-only file. `stop` deletes it. */
    dir,
    /** Sends SIGSTOP. Connections stay open, and get no responses until `thaw`. */
    freeze: () => void running.child.kill("SIGSTOP"),
    thaw: () => void running.child.kill("SIGCONT"),
    kill: () => stop(running, "SIGKILL"),
    /** Starts the server again, on the same port and directory, with additional settings. */
    async restart(more?: readonly string[]) {
      await stop(running);
      await launch(more);
    },
    async stop() {
      await stop(running);
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** Starts a sentinel for the primary on this port. It fails over when the primary is down for half a second. */
export async function startSentinel(name: string, primaryPort: number) {
  const dir = mkdtempSync(join(tmpdir(), "test-sentinel-"));
  const port = await freePort();
  const file = join(dir, "sentinel.conf");
  const lines = [
    ...[`port ${port}`, "bind 127.0.0.1", `dir ${dir}`],
    `sentinel monitor ${name} 127.0.0.1 ${primaryPort} 1`,
    `sentinel down-after-milliseconds ${name} 500`,
    `sentinel failover-timeout ${name} 5000`,
  ];
  writeFileSync(file, lines.join("\n"));
  const running = startInBackground(requireProgram("redis"), [file, "--sentinel"]);
  const client = new IORedis(port, "127.0.0.1");
  client.on("error", () => undefined);
  await until("the sentinel responds", () => client.ping().then(Boolean, () => false));
  return {
    port,
    /** Waits until the sentinel knows a replica, which it needs for a failover. */
    untilItKnowsAReplica: () =>
      until("the sentinel knows a replica", async () => {
        const replicas = (await client.call("SENTINEL", "REPLICAS", name)) as string[][];
        // Each replica is a list of names and values. The run id is empty until the sentinel is connected.
        return replicas.some(
          (fields) => fields.includes("slave") && (fields[fields.indexOf("runid") + 1] ?? "") !== "",
        );
      }),
    async stop() {
      client.disconnect();
      await stop(running);
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
