import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { root, startInBackground, stop } from "@/scripts/lib/processes.mjs";

export interface CommandResult {
  status: number | null;
  output: string;
}

/**
 * A copy of this machine with its own network, in which commands as root change nothing outside. Its files are an overlay of
 * this machine's files, in memory. programs.sh replaces systemctl and other programs.
 */
export interface TestMachine {
  /** Runs a bash command in the checkout. */
  run(command: string, env?: Record<string, string | undefined>): CommandResult;
  /** Like `run`, but throws after a failure. Returns the output. */
  need(command: string, env?: Record<string, string | undefined>): string;
  stop(): Promise<void>;
}

const programs = join(__dirname, "programs.sh");

/** Returns why this machine cannot start a test machine, or undefined. */
export function whyNoTestMachine(): string | undefined {
  const { status } = spawnSync("unshare", ["--mount", "--net", "--pid", "--fork", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]); // prettier-ignore
  return status === 0 ? undefined : "this user may not create namespaces: run the test as root";
}

export async function startTestMachine(): Promise<TestMachine> {
  const namespaces = ["--mount", "--net", "--pid", "--fork", "--kill-child"];
  const holder = startInBackground("unshare", [...namespaces, "bash", programs, "machine"]);
  while (!holder.output().includes("ready")) {
    if (holder.hasEnded()) throw new Error(`The test machine did not start:\n${holder.output()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  // The holder of the namespaces is the child of unshare.
  const { stdout: pid } = spawnSync("pgrep", ["-P", String(holder.child.pid)], { encoding: "utf8" });
  const enter = ["-t", pid.trim(), "--mount", "--net", "--pid", "chroot", "/mnt/root"];
  const run: TestMachine["run"] = (command, env = {}) => {
    const inCheckout = `cd '${root}' && ${command}`;
    const options = {
      encoding: "utf8",
      timeout: 60_000,
      env: { ...process.env, PATH: `/opt/machine:${process.env.PATH}`, ...env },
    } as const;
    const { status, stdout, stderr } = spawnSync("nsenter", [...enter, "bash", "-c", inCheckout], options);
    return { status, output: (stdout + stderr).replaceAll("\r", "").trim() };
  };
  return {
    run,
    need(command, env) {
      const { status, output } = run(command, env);
      if (status !== 0) throw new Error(`${command}\nended with ${status}:\n${output}`);
      return output;
    },
    stop: () => stop(holder),
  };
}
