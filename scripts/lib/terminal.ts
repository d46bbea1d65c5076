import { createInterface } from "node:readline/promises";

/* What the operator's tools share: words on the screen, and the question before something is changed. */

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
    fail("Nobody can be asked here: add --yes to go ahead.");
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
