import { join } from "node:path";
import { root, start } from "@/scripts/lib/processes.mjs";

/**
 * Runs a tool to its end, as `npm run <name>` does, without a terminal. Its environment contains only `env` and two secrets.
 */
export async function runTool(
  name: string,
  args: readonly string[],
  env: Record<string, string | undefined>,
) {
  const secrets = { SESSION_SECRET: "s".repeat(40), VISITOR_HASH_SECRET: "v".repeat(40) };
  const running = start(process.execPath, [join(root, ".next", "tools", `${name}.cjs`), ...args], {
    env: { PATH: process.env.PATH, NODE_ENV: "production", ...secrets, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const status = await running.ended;
  return { status, stdout: running.output("stdout"), stderr: running.output("stderr") };
}
