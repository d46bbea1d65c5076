import { topNotFound } from "@/lib/server/not-found-reports";
import { getRedis } from "@/lib/server/redis/client";

/* npm run not-found: the unknown paths that visitors asked for most. An argument sets how many. */

const defaultCount = 20;

async function run(count: number): Promise<void> {
  const paths = await topNotFound(count, getRedis());
  for (const { path, reports } of paths) process.stdout.write(`${String(reports).padStart(7)}  ${path}\n`);
  process.stdout.write(`${paths.length} ${paths.length === 1 ? "path" : "paths"}\n`);
  process.exit(0);
}

void run(Number.parseInt(process.argv[2] ?? "", 10) || defaultCount);
