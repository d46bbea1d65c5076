import { createInterface } from "node:readline/promises";

/* What the operator's tools share: words on the screen, and the question before something is changed. */

/**
 * Runs a tool and ends the process with the status that it resolves with, 1 when it fails, once everything it printed has
 * been taken by whoever reads: a pipe, a slow reader, a container's log. A reader that has enough ends the tool, too.
 */
export function runTool(work: () => Promise<number>): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));
  // Nobody reads what went wrong; the status still tells.
  process.stderr.on("error", () => undefined);
  void work()
    .catch((error: unknown) => fail(reasonOf(error)))
    .then(async (status) => {
      await Promise.all([process.stdout, process.stderr].map(untilTaken));
      // Connections are still open.
      process.exit(status);
    });
}

/** Writes to a pipe are done in their order, and after `process.exit` not at all. */
function untilTaken(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => stream.write("", () => resolve()));
}

/** Words of our own alone: an error of a library may hold keys. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return cause instanceof Error ? cause.message : "It failed.";
}

/** One line on standard output. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** One message on standard error; returns the exit status of a failure. */
export function fail(message: string): number {
  process.stderr.write(`${message}\n`);
  return 1;
}

/**
 * Whether the operator agrees: at once with `--yes`, else by typing yes. Where nobody can be asked (no terminal) that
 * is a no, with a word about `--yes`.
 */
export async function confirmed(question: string, yes: boolean): Promise<boolean> {
  if (yes) return true;
  if (!process.stdin.isTTY) {
    fail("There is no terminal to confirm in: add --yes to go ahead.");
    return false;
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(`${question} (yes/no) `);
  terminal.close();
  return answer.trim() === "yes";
}

/** Somebody else's text for the terminal: control characters could move the cursor or change the window. */
export function oneSafeText(text: string): string {
  return text.replace(/[^\P{Cc}\n]/gu, "");
}
