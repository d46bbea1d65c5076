import { expect, test, useServers } from "../support/test";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const processes = 4;
const visitors = 500;
const places = 20;
const dailyLimit = places * 50;

const servers = useServers({}, async () => ({}));

/** Starts one process of the race; `ready` resolves when it waits for the start, `result` with its counts. */
function startWorker(index: number) {
  const share = visitors / processes;
  const node = ["--conditions=react-server", "--import", "tsx", "e2e/support/reserve-worker.ts"];
  const race = [servers.redis.url, index * share, share, dailyLimit].map(String);
  const child = spawn(process.execPath, [...node, ...race], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const nextLine = async () => (await lines.next()).value as string;
  return {
    ready: nextLine(),
    go: () => child.stdin.write("go\n"),
    result: async () => JSON.parse(await nextLine()) as Record<string, number>,
  };
}

test("500 visitors from several processes race for the last 20 places: exactly 20 get one", async () => {
  const workers = Array.from({ length: processes }, (_, index) => startWorker(index));
  await Promise.all(workers.map((worker) => worker.ready));
  for (const worker of workers) worker.go();
  const results = await Promise.all(workers.map((worker) => worker.result()));

  const total = (kind: string) => results.reduce((sum, result) => sum + (result[kind] ?? 0), 0);
  expect({ leased: total("leased"), refused: total("daily_limit") }).toEqual({
    leased: places,
    refused: visitors - places,
  });
  const budgets = await servers.store.keys("{likes}:v2:budget:*");
  expect(budgets).toHaveLength(1);
  expect(await servers.store.get(budgets[0] ?? "")).toBe(dailyLimit);
  // A refusal leaves no trace of an order.
  expect(await servers.store.keys("{likes}:v2:order:*")).toHaveLength(places);
  expect(await servers.store.keys("{likes}:v2:visitor:*")).toHaveLength(places);
});
