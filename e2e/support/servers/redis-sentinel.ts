import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import IORedis from "ioredis";
import { requireProgram } from "@/scripts/lib/programs.mjs";
import { freePort } from "../ports";
import { until } from "../until";
import { end, watch } from "../watchdog";

const downAfterMs = 500;

export interface Sentinel {
  readonly port: number;
  /** It fails over to nothing that it does not know. */
  untilItKnowsAReplica(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a real sentinel, which decides alone, over the primary on this port. It is quick: half a second is a death. */
export async function startSentinel(name: string, primaryPort: number): Promise<Sentinel> {
  const dir = mkdtempSync(join(tmpdir(), "test-sentinel-"));
  const port = await freePort();
  const file = join(dir, "sentinel.conf");
  const lines = [
    `port ${port}`,
    "bind 127.0.0.1",
    `dir ${dir}`,
    `sentinel monitor ${name} 127.0.0.1 ${primaryPort} 1`,
    `sentinel down-after-milliseconds ${name} ${downAfterMs}`,
    `sentinel failover-timeout ${name} 5000`,
  ];
  writeFileSync(file, lines.join("\n"));
  const child = spawn(requireProgram("redis"), [file, "--sentinel"], {
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const running = watch(child);
  const client = new IORedis(port, "127.0.0.1");
  client.on("error", () => undefined);
  await until("the sentinel answers", () => client.ping().then(Boolean, () => false));
  return {
    port,
    untilItKnowsAReplica: () =>
      until("the sentinel knows a replica", async () => {
        const replicas = (await client.call("SENTINEL", "REPLICAS", name)) as string[][];
        // A list of names and values; one that it has only heard of has no run id yet.
        return replicas.some(
          (fields) => fields.includes("slave") && (fields[fields.indexOf("runid") + 1] ?? "") !== "",
        );
      }),
    async stop() {
      client.disconnect();
      await end(running, "SIGTERM");
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
