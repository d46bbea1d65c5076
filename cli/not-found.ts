import { topNotFound } from "@/lib/server/not-found/not-found-reports";
import { getRedis } from "@/lib/server/redis/client";
import { parseArguments, print, printCount, runTool } from "./terminal";

/* npm run not-found: lists the paths without a page that visitors request most. */

const defaultCount = 20;
const usage = `Usage: npm run not-found [-- <number of paths>]
  Lists the paths without a page that visitors request most, ${defaultCount} by default.`;

const { positionals } = parseArguments(usage, { allowPositionals: true });

runTool(async () => {
  const count = Number.parseInt(positionals[0] ?? "", 10) || defaultCount;
  const paths = await topNotFound(count, getRedis());
  for (const { path, reports } of paths) print(`${String(reports).padStart(7)}  ${path}`);
  printCount(paths.length, "path");
  return 0;
});
