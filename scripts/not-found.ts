import { topNotFound } from "@/lib/server/ops/not-found-reports";
import { getRedis } from "@/lib/server/redis/client";
import { print, runTool } from "./lib/terminal";

/* npm run not-found: the unknown paths that visitors asked for most. An argument sets how many. */

const defaultCount = 20;

runTool(async () => {
  const count = Number.parseInt(process.argv[2] ?? "", 10) || defaultCount;
  const paths = await topNotFound(count, getRedis());
  for (const { path, reports } of paths) print(`${String(reports).padStart(7)}  ${path}`);
  print(`${paths.length} ${paths.length === 1 ? "path" : "paths"}`);
  return 0;
});
