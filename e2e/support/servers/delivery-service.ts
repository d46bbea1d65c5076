import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { root, startInBackground, stop, type Running } from "@/scripts/lib/processes.mjs";
import { webhookSecret } from "./live-delivery";
import { freePort } from "../ports";
import { until } from "../until";

const exampleFolder = join(root, "examples", "delivery-service");

const keptOrderShape = z.object({
  id: z.string(),
  postUrl: z.string(),
  likes: z.number(),
  receivedAt: z.string(),
  state: z.string(),
});

export interface DeliveryService {
  /** Where it takes orders. */
  readonly url: string;
  /** SIGKILL, as a crash would. */
  kill(): Promise<void>;
  /** Starts it again on the same port and the same orders. */
  restart(): Promise<void>;
  /** All its orders, as its own tool exports them. */
  exported(): Promise<z.infer<typeof keptOrderShape>[]>;
  /** Everything it wrote so far. */
  output(): string;
  stop(): Promise<void>;
}

/** Starts examples/delivery-service as it is shipped, with the tests' secret and orders of its own. */
export async function startDeliveryService(): Promise<DeliveryService> {
  if (!existsSync(join(exampleFolder, "node_modules"))) {
    throw new Error("The example's packages are missing: run npm ci in examples/delivery-service first.");
  }
  const folder = mkdtempSync(join(tmpdir(), "delivery-service-"));
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const env = {
    PATH: process.env.PATH,
    NODE_ENV: "production",
    PORT: String(port),
    ORDERS_FILE: join(folder, "orders.db"),
    WEBHOOK_SECRETS: webhookSecret,
  } as const;
  const runs: Running[] = [];
  const output = () => runs.map((each) => each.output()).join("");
  const start = async (): Promise<void> => {
    runs.push(run("server.mjs"));
    await until("the service answers", () => isWell(origin)).catch((error: unknown) => {
      throw new Error(`${String(error)}:\n${output()}`);
    });
  };
  const run = (...args: string[]) => startInBackground(process.execPath, args, { cwd: exampleFolder, env });
  const stopLast = async (signal: NodeJS.Signals): Promise<void> => {
    const last = runs.at(-1);
    if (last) await stop(last, signal);
  };
  await start();
  return {
    url: `${origin}/likes`,
    kill: () => stopLast("SIGKILL"),
    restart: start,
    async exported() {
      const tool = run("orders.mjs", "export");
      await tool.ended;
      const lines = tool.output().split("\n").filter(Boolean);
      return lines.map((line) => keptOrderShape.parse(JSON.parse(line)));
    },
    output,
    async stop() {
      await stopLast("SIGTERM");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function isWell(origin: string): Promise<boolean> {
  const answer = await fetch(`${origin}/health`).catch(() => null);
  return answer?.status === 200;
}
