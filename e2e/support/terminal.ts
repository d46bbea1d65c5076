import { spawn } from "node:child_process";
import { requireProgram } from "@/scripts/lib/programs.mjs";
import { until } from "./until";
import { end, watch } from "./watchdog";

export interface Terminal {
  /** Everything on the screen so far. */
  screen(): string;
  /** Waits until the screen shows this, and returns what the pattern has caught. */
  shows(pattern: RegExp, timeoutMs?: number): Promise<string[]>;
  /** Types, `\n` for the return key. */
  type(keys: string): void;
  /** Ends by itself with this status; by force, should it not. */
  ended(): Promise<number | null>;
  stop(): Promise<void>;
}

export const ctrlC = "\x03";

/** Runs a command line at a terminal of its own, as somebody at the keyboard does. */
export function openTerminal(
  command: string,
  { cwd, env }: { cwd: string; env: Record<string, string | undefined> },
): Terminal {
  const args = ["--quiet", "--flush", "--return", "--command", command, "/dev/null"];
  const child = spawn(requireProgram("script"), args, {
    cwd,
    env: { NODE_ENV: "production", ...env },
    detached: true,
    stdio: "pipe",
  });
  const running = watch(child);
  return {
    screen: running.output,
    async shows(pattern, timeoutMs = 10_000) {
      const isThere = () => pattern.test(running.output()) || running.hasEnded();
      await until(String(pattern), isThere, timeoutMs).catch(() => undefined);
      const caught = pattern.exec(running.output());
      if (!caught) throw new Error(`The screen does not show ${pattern}:\n${running.output()}`);
      return caught;
    },
    type: (keys) => void child.stdin.write(keys),
    async ended() {
      await until("the command ends", running.hasEnded);
      return child.exitCode;
    },
    stop: () => end(running, "SIGTERM"),
  };
}
