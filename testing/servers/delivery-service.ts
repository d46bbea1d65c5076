import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { root, startInBackground, stop, type Running } from "@/scripts/lib/processes.mjs";
import { webhookSecret } from "./live-delivery";
import { freePort, untilHealthy } from "@/scripts/lib/ports.mjs";

const exampleFolder = join(root, "examples", "delivery-service");

const orderShape = z.object({
  id: z.string(),
  postUrl: z.string(),
  likes: z.number(),
  receivedAt: z.string(),
  state: z.string(),
});

/** Starts examples/delivery-service with the secret of the tests, without orders. */
export async function startDeliveryService() {
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
  const run = (...args: string[]) => startInBackground(process.execPath, args, { cwd: exampleFolder, env });
  let running: Running;
  /** Also starts the killed service again, on the same port and with the same orders. */
  const start = async (): Promise<void> => {
    running = run("server.mjs");
    if (!(await untilHealthy(`${origin}/health`, running, 30_000)))
      throw new Error(`The delivery service did not start:\n${running.output()}`);
  };
  await start();
  return {
    /** Receives the orders. */
    url: `${origin}/likes`,
    kill: () => stop(running, "SIGKILL"),
    start,
    /** Returns all orders, from the export of the service's tool. */
    async exported() {
      const tool = run("orders.mjs", "export");
      await tool.ended;
      const lines = tool.output().split("\n").filter(Boolean);
      return lines.map((line) => orderShape.parse(JSON.parse(line)));
    },
    async stop() {
      await stop(running);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
