import { join } from "node:path";
import { sessionSecret, startServer } from "@/e2e/support/app-server";
import { buildsFolder } from "@/e2e/support/builds";
import type { RedisServer } from "@/e2e/support/redis-server";
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

const starts = 11;
const root = join(__dirname, "..");
const afterStartMs = 500;

/**
 * Starts the blank app, as one starts such an app, and the product in turn: likewise, and as a release starts. The product's
 * first answer needs its Redis.
 */
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
  const release = join(root, buildsFolder, "deployed");
  const targets: (Started & { name: string; target?: number })[] = [
    { name: "blank app, next start", folder: blankFolder, path: "/", env: session },
    {
      name: "product, npm start",
      folder: root,
      command: ["scripts/http-server.mjs", "start"],
      ...product,
      target: 1.3,
    },
    { name: "product, server.js", folder: release, command: ["server.js"], ...product },
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
