import { spawn } from "node:child_process";
import { join } from "node:path";

const root = join(__dirname, "..", "..");

export interface ToolRun {
  status: number;
  stdout: string;
  stderr: string;
}

/**
 * Runs one of the operator's tools (scripts/<name>.ts) to its end, as `npm run <name>` does, in an environment that holds
 * nothing but `env` and two secrets. Its input is no terminal.
 */
export async function runTool(
  name: string,
  args: readonly string[],
  env: Record<string, string | undefined>,
): Promise<ToolRun> {
  const tool = ["--conditions=react-server", "--import", "tsx", join(root, "scripts", `${name}.ts`), ...args];
  const child = spawn(process.execPath, tool, {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env.PATH,
      NODE_ENV: "production",
      SESSION_SECRET: "s".repeat(40),
      VISITOR_HASH_SECRET: "v".repeat(40),
      ...env,
    },
  });
  const run = { status: -1, stdout: "", stderr: "" };
  child.stdout.on("data", (chunk: Buffer) => (run.stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (run.stderr += chunk.toString()));
  run.status = await new Promise((resolve) => child.once("close", (code) => resolve(code ?? -1)));
  return run;
}
