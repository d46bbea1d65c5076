import { join } from "node:path";
import { sessionSecret, startServer } from "@/e2e/support/servers/app-server";
import { buildsFolder } from "@/e2e/support/servers/builds";
import type { RedisServer } from "@/e2e/support/servers/redis-server";
import { standaloneFolder } from "./blank-app";
import { compare, inRounds, measureLoad, median, type Comparison } from "./load";
import { memoryOf } from "./process-memory";

/** Compared with the blank app's first answer. */
export interface StartUpRow extends Comparison {
  name: string;
  /** Milliseconds from the start of the process to its first useful answer. */
  firstAnswer: number;
  target?: number;
  /** MiB of the process, at rest and after load. */
  atRest: number;
  underLoad: number;
}

const starts = 21;
const afterStartMs = 500;

/** Starts the standalone outputs of the blank app and of the product in turn. The product's first response needs Redis. */
export async function measureStartUp(blankFolder: string, redis: RedisServer): Promise<StartUpRow[]> {
  const session = { SESSION_SECRET: sessionSecret };
  const product = {
    path: "/api/instagram/daily-usage",
    env: {
      ...session,
      VISITOR_HASH_SECRET: "visitor-secret-of-the-bench-0123456789",
      REDIS_URL: redis.url,
      BURST_LIMIT_SCALE: "1000000",
    },
  };
  const release = join(__dirname, "..", buildsFolder, "deployed");
  const blank = standaloneFolder(blankFolder);
  const targets: (Started & { name: string; target?: number })[] = [
    { name: "blank app", folder: blank, command: ["server.js"], path: "/", env: session },
    { name: "product", folder: release, command: ["server.js"], ...product, target: 1.35 },
  ];
  const found = await inRounds(targets, starts, startOnce);
  const times = (name: string) => found.get(name)?.map(({ firstAnswer }) => firstAnswer) ?? [];
  return targets.map(({ name, target }) => {
    const middle = (key: keyof Found) => median(found.get(name)?.map((one) => one[key]) ?? []);
    return {
      name,
      firstAnswer: middle("firstAnswer"),
      ...compare(times(name), times(targets[0]?.name ?? "")),
      target,
      atRest: middle("atRest"),
      underLoad: middle("underLoad"),
    };
  });
}

type Started = Pick<Parameters<typeof startServer>[0], "folder" | "command" | "path" | "env">;
type Found = Pick<StartUpRow, "firstAnswer" | "atRest" | "underLoad">;

async function startOnce({ folder, command, path, env }: Started): Promise<Found> {
  const startedAt = performance.now();
  const server = await startServer({ folder, command, path, env, askEveryMs: 10 });
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
