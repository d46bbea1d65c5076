import "server-only";
import { describeError, log } from "./log";

/**
 * Puts what others write by console.error and console.warn into lines of the log, without their words: Next.js prints
 * the messages of errors, and some of them repeat what a visitor sent.
 */
export function redirectConsole(): void {
  console.error = (...args: unknown[]) => log.error("other output", describeOutput(args));
  console.warn = (...args: unknown[]) => log.warn("other output", describeOutput(args));
}

function describeOutput(args: unknown[]): { cause?: string; stack?: string } {
  const error = args.find((arg) => arg instanceof Error);
  return error ? describeError(error) : { cause: "a message", stack: describeError(new Error()).stack };
}
