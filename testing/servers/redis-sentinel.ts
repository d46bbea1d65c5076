import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import IORedis from "ioredis";
import { startInBackground, stop } from "@/scripts/lib/processes.mjs";
import { requireProgram } from "@/scripts/lib/programs.mjs";
import { freePort } from "@/scripts/lib/ports.mjs";
import { until } from "../until";

const downAfterMs = 500;

export interface Sentinel {
  readonly port: number;
  /** Waits until the sentinel knows a replica, which it needs for a failover. */
  untilItKnowsAReplica(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a sentinel for the primary on this port. It fails over when the primary is down for half a second. */
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
  const running = startInBackground(requireProgram("redis"), [file, "--sentinel"]);
  const client = new IORedis(port, "127.0.0.1");
  client.on("error", () => undefined);
  await until("the sentinel responds", () => client.ping().then(Boolean, () => false));
  return {
    port,
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
