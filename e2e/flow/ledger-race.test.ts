import { expect, test, useServers } from "../support/test";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const processes = 4;
const visitors = 500;
const orders = 20;
const dailyLimit = orders * 50;

const servers = useServers({}, async () => ({}));

/** Starts a process with a share of the visitors. The process waits for `go`, and then counts its results. */
function startWorker(index: number) {
  const share = visitors / processes;
  const node = ["--conditions=react-server", "--import", "tsx", "e2e/support/reserve-worker.ts"];
  const settings = [servers.redis.url, index * share, share, dailyLimit].map(String);
  const child = spawn(process.execPath, [...node, ...settings], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const nextLine = async () => (await lines.next()).value as string;
  return {
    ready: nextLine(),
    go: () => child.stdin.write("go\n"),
    result: async () => JSON.parse(await nextLine()) as Record<string, number>,
  };
}

test("accepts exactly 20 orders when 500 visitors in four processes request the last 20", async () => {
  const workers = Array.from({ length: processes }, (_, index) => startWorker(index));
  await Promise.all(workers.map((worker) => worker.ready));
  for (const worker of workers) worker.go();
  const results = await Promise.all(workers.map((worker) => worker.result()));

  const total = (kind: string) => results.reduce((sum, result) => sum + (result[kind] ?? 0), 0);
  expect({ leased: total("leased"), refused: total("daily_limit") }).toEqual({
    leased: orders,
    refused: visitors - orders,
  });
  const budgets = await servers.store.keys("{likes}:v2:budget:*");
  expect(budgets).toHaveLength(1);
  expect(await servers.store.get(budgets[0] ?? "")).toBe(dailyLimit);
  // Refused visitors have no keys.
  expect(await servers.store.keys("{likes}:v2:order:*")).toHaveLength(orders);
  expect(await servers.store.keys("{likes}:v2:visitor:*")).toHaveLength(orders);
});
