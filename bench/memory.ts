import { readFileSync } from "node:fs";
import { join } from "node:path";
import { startApp, type AppServer } from "@/e2e/support/servers/app-server";
import { Visitor } from "@/e2e/support/visitor";
import type { RedisServer } from "@/e2e/support/servers/redis-server";
import { compare, inRounds, median, type Comparison } from "./load";
import { memoryOf } from "./process-memory";

/** Compared with the visits a second of the unbounded process. */
export interface MemoryRow extends Comparison {
  name: string;
  /** Whole visits a second, from home to the receipt. */
  visitsPerSecond: number;
  /** The least that the ratio should be. */
  target?: number;
  /** The most that the process held at any time, in MiB. */
  peak: number;
  /** The most that it should hold. */
  wanted?: number;
}

const visitsAtOnce = 24;
const visitsPerRound = 120;
const rounds = 7;
const unitFile = join(__dirname, "..", "deploy", "boost50.service");

/** Puts the process with the bound of deploy/boost50.service beside one that Node bounds by the machine's memory alone. */
export async function measureMemory(redis: RedisServer): Promise<MemoryRow[]> {
  const start = (options?: string) =>
    startApp({
      build: "deployed",
      redisUrl: redis.url,
      env: {
        TRUSTED_IP_HEADER: "x-real-ip",
        BURST_LIMIT_SCALE: "1000000",
        DAILY_LIKE_LIMIT: "100000000",
        NODE_OPTIONS: options,
      },
    });
  const servers = new Map([
    ["as Node bounds it", await start()],
    ["as the unit bounds it", await start(unitOptions())],
  ]);
  try {
    const targets = [...servers].map(([name, server]) => ({ name, server }));
    const speeds = await inRounds(targets, rounds, ({ server }) => runVisits(server));
    const [[, unbounded = []] = []] = speeds;
    return [...speeds].map(([name, found], row) => ({
      name,
      visitsPerSecond: median(found),
      ...compare(found, unbounded),
      ...(row > 0 && { target: 0.9, wanted: 300 }),
      peak: memoryOf(servers.get(name)?.pid, "VmHWM"),
    }));
  } finally {
    await Promise.all([...servers.values()].map((server) => server.stop()));
  }
}

/** What the unit gives Node, separated by spaces. */
function unitOptions(): string {
  const [, options] = /^ExecStart=\S+ (--.+) server\.js$/m.exec(readFileSync(unitFile, "utf8")) ?? [];
  if (!options) throw new Error(`${unitFile} sets no bound`);
  return options;
}

/** Visits a second. */
async function runVisits({ url }: AppServer): Promise<number> {
  let left = visitsPerRound;
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: visitsAtOnce }, async () => {
      while (left-- > 0) await visit(url);
    }),
  );
  return visitsPerRound / ((performance.now() - startedAt) / 1_000);
}

async function visit(url: string): Promise<void> {
  const visitor = new Visitor(url);
  await visitor.visit("/");
  await visitor.get("/api/instagram/daily-usage");
  await visitor.verify();
  await visitor.visit("/verification");
  await visitor.details();
  await visitor.get("/api/instagram/status");
  await visitor.visit("/get-likes");
  const { status } = await visitor.like();
  const receipt = await visitor.visit("/success");
  if (status !== 200 || receipt.status !== 200) throw new Error(`a visit ended with ${status}`);
}
