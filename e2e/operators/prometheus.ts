import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { root, startInBackground, stop } from "@/scripts/lib/processes.mjs";
import { requireProgram } from "@/scripts/lib/programs.mjs";
import { freePort } from "@/scripts/lib/ports.mjs";
import { until } from "@/testing/until";

const deploy = join(root, "deploy");

const vector = z.array(
  z.object({ metric: z.record(z.string(), z.string()), value: z.tuple([z.number(), z.string()]) }),
);
const ruleList = z.object({
  groups: z.array(
    z.object({
      rules: z.array(
        z.object({
          name: z.string(),
          state: z.enum(["inactive", "pending", "firing"]),
          duration: z.number(),
          health: z.string(),
        }),
      ),
    }),
  ),
});

/** A series of a response. */
export interface Sample {
  labels: Record<string, string>;
  value: number;
}

export type Alert = z.output<typeof ruleList>["groups"][number]["rules"][number];

/** A real Prometheus that watches one process of the site. */
export interface Prometheus {
  /** Returns the current result of a query. */
  query(expression: string): Promise<Sample[]>;
  /** Returns all alerts with their state. */
  alerts(): Promise<Alert[]>;
  stop(): Promise<void>;
}

/**
 * Starts Prometheus with the files of deploy/, and with the port and the token file of the test. It scrapes every 2
 * seconds, because a response without Redis takes up to 1.5.
 */
export async function startPrometheus({ port, token }: { port: number; token: string }): Promise<Prometheus> {
  const home = mkdtempSync(join(tmpdir(), "prometheus-"));
  const own = await freePort();
  const tokenFile = join(home, "token");
  writeFileSync(tokenFile, token);
  cpSync(join(deploy, "prometheus-rules.yml"), join(home, "prometheus-rules.yml"));
  let text = readFileSync(join(deploy, "prometheus.yml"), "utf8");
  for (const [found, instead] of [
    ["127.0.0.1:3000", `localhost:${port}`],
    ["/etc/prometheus/boost50-token", tokenFile],
    [": 15s", ": 2s"],
  ] as const) {
    if (!text.includes(found)) throw new Error(`deploy/prometheus.yml has no "${found}"`);
    text = text.replaceAll(found, instead);
  }
  const file = join(home, "prometheus.yml");
  writeFileSync(file, text);
  const running = startInBackground(requireProgram("prometheus"), [
    `--config.file=${file}`,
    `--storage.tsdb.path=${join(home, "data")}`,
    `--web.listen-address=127.0.0.1:${own}`,
    "--log.level=warn",
  ]);

  async function ask(path: string): Promise<unknown> {
    const response = await fetch(`http://127.0.0.1:${own}${path}`);
    const answer = (await response.json()) as { status: string; data: unknown; error?: string };
    if (answer.status !== "success") throw new Error(`Prometheus: ${answer.error}`);
    return answer.data;
  }
  await until("Prometheus answers", async () => {
    if (running.hasEnded()) throw new Error(`Prometheus ended. It wrote:\n${running.output()}`);
    return fetch(`http://127.0.0.1:${own}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  });
  return {
    async query(expression) {
      const data = await ask(`/api/v1/query?query=${encodeURIComponent(expression)}`);
      const { result } = z.object({ result: vector }).parse(data);
      return result.map(({ metric, value: [, value] }) => ({ labels: metric, value: Number(value) }));
    },
    async alerts() {
      return ruleList.parse(await ask("/api/v1/rules")).groups.flatMap(({ rules }) => rules);
    },
    async stop() {
      await stop(running);
      rmSync(home, { recursive: true, force: true });
    },
  };
}
