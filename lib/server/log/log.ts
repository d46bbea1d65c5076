import "server-only";
import { AsyncLocalStorage } from "node:async_hooks";
import { AppError } from "@/lib/http/errors";
import { getMeter } from "@/lib/server/metrics/meter";

export type LogEvent =
  | "after answer"
  | "captcha skipped"
  | "configuration"
  | "delivery"
  | "limit changed"
  | "lookup cool-off"
  | "mail failed"
  | "mail refused"
  | "other output"
  | "page failed"
  | "request"
  | "too many requests"
  | "upkeep"
  | "upkeep failed";

const maxTextLength = 1_000;
const maxFrames = 5;

/** Validators of log fields. A "name" is a fixed name or id. A "text" is our own message or a stack trace. */
const kinds = {
  count: (value: unknown) => typeof value === "number" && Number.isFinite(value),
  name: (value: unknown) => typeof value === "string" && /^[\w-]{1,64}$/.test(value),
  text: (value: unknown) => typeof value === "string" && value.length <= maxTextLength,
};

/** Allowed log fields. They never contain personal data, secrets, links, or request or response bodies. */
const allowed = {
  method: "name",
  /** Name of an API route, or the route pattern of a Next.js page. Never the requested path. */
  route: "text",
  status: "count",
  code: "name",
  durationMs: "count",
  /** Name or code of an error, or the message of a LoggableError. */
  cause: "text",
  stack: "text",
  order: "name",
  outcome: "name",
  reason: "text",
  provider: "name",
  messageId: "name",
  seconds: "count",
  warning: "text",
  tried: "count",
  accepted: "count",
  refused: "count",
  stillPending: "count",
  abandoned: "count",
  mailed: "count",
  limitBefore: "count",
  limitAfter: "count",
} as const satisfies Record<string, keyof typeof kinds>;

type Allowed = typeof allowed;
type Fields = { [Name in keyof Allowed]?: (Allowed[Name] extends "count" ? number : string) | undefined };

const requestIds = new AsyncLocalStorage<string>();

/** Writes each event as one line of JSON. Errors go to stderr. Omits fields that `allowed` does not list. */
export const log = {
  info: (event: LogEvent, fields?: Fields) => write("info", event, fields),
  warn: (event: LogEvent, fields?: Fields) => write("warn", event, fields),
  error: (event: LogEvent, fields?: Fields) => write("error", event, fields),
};

/** Drops output that cannot be written. Without a listener, Next.js prints the error, which fails again without end. */
export function dropLostOutput(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
}

/** Runs `work`. All log lines of `work` get the request id, even lines that async code writes later. */
export function withRequestId<T>(requestId: string, work: () => T): T {
  return requestIds.run(requestId, work);
}

/** An error whose message may be logged. The message must not contain text from visitors or services. */
export class LoggableError extends Error {
  override name = "LoggableError";
}

/**
 * Returns the parts of an error that may be logged. For a LoggableError, returns the message. For most other
 * errors, returns name and stack frames, because the message may contain visitors' input or Redis data.
 */
export function describeError(error: unknown): { cause?: string; stack?: string } {
  if (error === undefined) return {};
  if (error instanceof AppError)
    return error.cause === undefined ? { cause: error.code } : describeError(error.cause);
  if (error instanceof LoggableError) return { cause: error.message };
  if (!(error instanceof Error)) return { cause: "unknown" };
  return { cause: /^\w{1,64}$/.test(error.name) ? error.name : "Error", stack: framesOf(error) };
}

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

/** Returns the first stack frames. Removes the message first, because a message can look like a frame. */
function framesOf({ stack = "", message }: Error): string {
  const messageAt = message ? stack.indexOf(message) : -1;
  const frames = messageAt === -1 ? stack : stack.slice(messageAt + message.length);
  const lines = frames.split("\n").filter((line) => /^\s+at /.test(line));
  return lines
    .slice(0, maxFrames)
    .map((line) => line.trim())
    .join("\n")
    .slice(0, maxTextLength);
}

function write(level: "info" | "warn" | "error", event: LogEvent, fields: Fields = {}): void {
  const line: Record<string, unknown> = { time: new Date().toISOString(), level, event };
  line.requestId = requestIds.getStore();
  for (const [name, value] of Object.entries(fields)) {
    if (Object.hasOwn(allowed, name) && kinds[allowed[name as keyof Allowed]](value)) line[name] = value;
  }
  getMeter()?.countLogLine(event);
  (level === "error" ? process.stderr : process.stdout).write(`${JSON.stringify(line)}\n`);
}
