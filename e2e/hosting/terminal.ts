import { startInBackground, stop } from "@/scripts/lib/processes.mjs";
import { requireProgram } from "@/scripts/lib/programs.mjs";
import { until } from "@/testing/until";

export interface Terminal {
  /** Returns all output so far. */
  screen(): string;
  /** Waits until the output matches. Returns the match and its groups. */
  shows(pattern: RegExp, timeoutMs?: number): Promise<string[]>;
  /** Types keys. `\n` is the return key. */
  type(keys: string): void;
  /** Waits until the command ends. Returns its exit status. */
  ended(): Promise<number>;
  stop(): Promise<void>;
}

export const ctrlC = "\x03";

/** Runs a command line in a pseudoterminal. */
export function openTerminal(
  command: string,
  { cwd, env }: { cwd: string; env: Record<string, string | undefined> },
): Terminal {
  const args = ["--quiet", "--flush", "--return", "--command", command, "/dev/null"];
  const running = startInBackground(requireProgram("script"), args, {
    cwd,
    env: { NODE_ENV: "production", ...env },
    stdio: "pipe",
  });
  return {
    screen: running.output,
    async shows(pattern, timeoutMs = 10_000) {
      const isThere = () => pattern.test(running.output()) || running.hasEnded();
      await until(String(pattern), isThere, timeoutMs).catch(() => undefined);
      const match = pattern.exec(running.output());
      if (!match) throw new Error(`The screen does not show ${pattern}:\n${running.output()}`);
      return match;
    },
    type: (keys) => void running.child.stdin?.write(keys),
    async ended() {
      await until("the command ends", running.hasEnded);
      return running.ended;
    },
    stop: () => stop(running),
  };
}
