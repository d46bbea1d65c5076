import { spawn } from "node:child_process";
import { join } from "node:path";

const root = join(__dirname, "..", "..");

export interface ToolRun {
  status: number;
  stdout: string;
  stderr: string;
}

type Variables = Record<string, string | undefined>;

/**
 * Runs one of the operator's tools (scripts/<name>.ts) to its end, as `npm run <name>` does, in an environment that holds
 * nothing but `env` and two secrets. Its input is no terminal.
 */
export function runTool(name: string, args: readonly string[], env: Variables): Promise<ToolRun> {
  return runToEnd(process.execPath, toolArguments(name, args), env);
}

/**
 * The same in a pipe of the shell: `| wc -l`. The status is the tool's, the rest of what is returned the reader's; the
 * tool's standard error is there, too.
 */
export function pipeTool(name: string, args: readonly string[], reader: string, env: Variables) {
  const tool = [process.execPath, ...toolArguments(name, args)].map((part) => `'${part}'`).join(" ");
  const script = `{ ${tool}; echo $? >&3; } 3>"$STATUS_FILE" | ${reader}; exit $(cat "$STATUS_FILE")`;
  return runToEnd("/bin/sh", ["-c", script], env);
}

function toolArguments(name: string, args: readonly string[]): string[] {
  return ["--conditions=react-server", "--import", "tsx", join(root, "scripts", `${name}.ts`), ...args];
}

async function runToEnd(program: string, args: readonly string[], env: Variables): Promise<ToolRun> {
  const child = spawn(program, args, {
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
