import "server-only";
import { describeError, log } from "./log";

/**
 * Makes console.error and console.warn write log lines without the printed text. Next.js prints errors, and
 * an error message may contain visitors' input.
 */
export function redirectConsole(): void {
  console.error = (...args: unknown[]) => log.error("other output", describeOutput(args));
  console.warn = (...args: unknown[]) => log.warn("other output", describeOutput(args));
}

function describeOutput(args: unknown[]): { cause?: string; stack?: string } {
  const error = args.find((arg) => arg instanceof Error);
  return error ? describeError(error) : { cause: "a message", stack: describeError(new Error()).stack };
}
