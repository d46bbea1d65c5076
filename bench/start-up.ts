import { join } from "node:path";
import { sessionSecret, startServer } from "@/e2e/support/app-server";
import type { RedisServer } from "@/e2e/support/redis-server";
import { measureLoad, median } from "./load";
import { memoryOf } from "./process-memory";

export interface StartUpRow {
  name: string;
  /** Milliseconds from the start of the process to its first useful answer. */
  firstAnswer: number;
  /** Of the first row's time. */
  ratio: number;
  /** MiB of the process, at rest and after load. */
  atRest: number;
  underLoad: number;
}

const starts = 5;
const root = join(__dirname, "..");
const afterStartMs = 500;

/** Starts the blank app and the product in turn, as `npm start` does. The product's first answer needs its Redis. */
export async function measureStartUp(blankFolder: string, redis: RedisServer): Promise<StartUpRow[]> {
  const session = { SESSION_SECRET: sessionSecret };
  const productEnv = {
    ...session,
    VISITOR_HASH_SECRET: "visitor-secret-of-the-bench-0123456789",
    REDIS_URL: redis.url,
  };
  const blank: Started[] = [];
  const product: Started[] = [];
  for (let count = 0; count < starts; count += 1) {
    blank.push(await startOnce(blankFolder, "/", session));
    product.push(await startOnce(root, "/api/instagram/daily-usage", productEnv));
  }
  const floor = median(blank.map(({ firstAnswer }) => firstAnswer));
  return Object.entries({ "blank app": blank, product }).map(([name, found]) => {
    const middle = (key: keyof Started) => median(found.map((one) => one[key]));
    const firstAnswer = middle("firstAnswer");
    const [atRest, underLoad] = [middle("atRest"), middle("underLoad")];
    return { name, firstAnswer, ratio: firstAnswer / floor, atRest, underLoad };
  });
}

type Started = Pick<StartUpRow, "firstAnswer" | "atRest" | "underLoad">;

async function startOnce(folder: string, path: string, env: Record<string, string>): Promise<Started> {
  const startedAt = performance.now();
  const server = await startServer({ folder, path, env, askEveryMs: 10 });
  const firstAnswer = performance.now() - startedAt;
  try {
    await new Promise((resolve) => setTimeout(resolve, afterStartMs));
    const atRest = memoryOf(server.pid, "VmRSS");
    const target = { name: path, next: () => ({ url: server.url + path }) };
    await measureLoad([target], { rounds: 1, requestsPerRound: 500, concurrency: 16 });
    return { firstAnswer, atRest, underLoad: memoryOf(server.pid, "VmRSS") };
  } finally {
    await server.stop();
  }
}
