import { topNotFound } from "@/lib/server/ops/not-found-reports";
import { getRedis } from "@/lib/server/redis/client";
import { print, printCount, runTool } from "./lib/terminal";

/* npm run not-found: lists the paths without a page that visitors request most. An argument sets how many. */

const defaultCount = 20;

runTool(async () => {
  const count = Number.parseInt(process.argv[2] ?? "", 10) || defaultCount;
  const paths = await topNotFound(count, getRedis());
  for (const { path, reports } of paths) print(`${String(reports).padStart(7)}  ${path}`);
  printCount(paths.length, "path");
  return 0;
});
