import { join } from "node:path";
import { root, start } from "@/scripts/lib/processes.mjs";

export interface ToolRun {
  status: number;
  stdout: string;
  stderr: string;
}

type Variables = Record<string, string | undefined>;

/**
 * Runs a tool to its end, as `npm run <name>` does, without a terminal. Its environment contains only `env` and two secrets.
 */
export function runTool(name: string, args: readonly string[], env: Variables): Promise<ToolRun> {
  return runToEnd(process.execPath, [bundleOf(name), ...args], env);
}

/**
 * Runs a tool in a pipe with a reader, for example `wc -l`. Returns the exit status of the tool, and the output of the
 * reader.
 */
export function pipeTool(name: string, args: readonly string[], reader: string, env: Variables) {
  const tool = [process.execPath, bundleOf(name), ...args].map((part) => `'${part}'`).join(" ");
  const script = `{ ${tool}; echo $? >&3; } 3>"$STATUS_FILE" | ${reader}; exit $(cat "$STATUS_FILE")`;
  return runToEnd("/bin/sh", ["-c", script], env);
}

/** The bundle of the build, because tsx needs half a second of CPU time at each start. */
const bundleOf = (name: string) => join(root, ".next", "tools", `${name}.cjs`);

async function runToEnd(program: string, args: readonly string[], env: Variables): Promise<ToolRun> {
  const secrets = { SESSION_SECRET: "s".repeat(40), VISITOR_HASH_SECRET: "v".repeat(40) };
  const running = start(program, args, {
    env: { PATH: process.env.PATH, NODE_ENV: "production", ...secrets, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const status = await running.ended;
  return { status, stdout: running.output("stdout"), stderr: running.output("stderr") };
}
