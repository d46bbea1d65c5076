import "server-only";
import { AsyncLocalStorage } from "node:async_hooks";
import { AppError } from "@/lib/http/errors";
import { getMeter } from "./meter";

type Level = "info" | "warn" | "error";
export type LogEvent =
  | "after answer"
  | "captcha skipped"
  | "configuration"
  | "delivery"
  | "limit changed"
  | "lookup cool-off"
  | "mail failed"
  | "other output"
  | "page failed"
  | "request"
  | "upkeep"
  | "upkeep failed";

const maxTextLength = 1_000;
const maxFrames = 5;

/** What a value must be to be logged. A name is one of ours or a random id; a text is words of ours, or a stack. */
const kinds = {
  count: (value: unknown) => typeof value === "number" && Number.isFinite(value),
  name: (value: unknown) => typeof value === "string" && /^[\w-]{1,64}$/.test(value),
  text: (value: unknown) => typeof value === "string" && value.length <= maxTextLength,
};

/**
 * Every field that a log line may have. None is made for an address, a fingerprint, a link, a post's code, an e-mail
 * address, a token, a cookie, a command of Redis or the body of anybody's answer.
 */
const allowed = {
  method: "name",
  /** A route's or page's pattern or name, never the path that was asked for. */
  route: "text",
  status: "count",
  code: "name",
  durationMs: "count",
  /** The name of an error, or the words of a LoggableError. */
  cause: "text",
  /** Where an error came from, without its message. */
  stack: "text",
  order: "name",
  outcome: "name",
  reason: "text",
  provider: "name",
  /** An inbox message's id. */
  messageId: "name",
  seconds: "count",
  warning: "text",
  tried: "count",
  accepted: "count",
  refused: "count",
  stillPending: "count",
  abandoned: "count",
  mailed: "count",
  /** Today's limit in likes. */
  limitBefore: "count",
  limitAfter: "count",
} as const satisfies Record<string, keyof typeof kinds>;

type Allowed = typeof allowed;
type Fields = { [Name in keyof Allowed]?: (Allowed[Name] extends "count" ? number : string) | undefined };

const requestIds = new AsyncLocalStorage<string>();

/**
 * Structured log lines: one JSON object each, on standard output (errors on standard error), with the id of the
 * request in which they came about; the metrics count them. Fields that are not on the list, or are not what the list says, are dropped.
 */
export const log = {
  info: (event: LogEvent, fields?: Fields) => write("info", event, fields),
  warn: (event: LogEvent, fields?: Fields) => write("warn", event, fields),
  error: (event: LogEvent, fields?: Fields) => write("error", event, fields),
};

/** Runs the work of a request; whatever is logged in it, and in what it leaves behind, carries the request's id. */
export function withRequestId<T>(requestId: string, work: () => T): T {
  return requestIds.run(requestId, work);
}

/** An error whose message is made of our own words and of codes, and of nothing that came from outside: it may be logged. */
export class LoggableError extends Error {
  override name = "LoggableError";
}

/**
 * What may be logged of an error: the words of our own, the code of an AppError without a cause; of any other the name
 * and the stack's frames, because messages may hold what a visitor sent or what Redis keeps.
 */
export function describeError(error: unknown): { cause?: string; stack?: string } {
  if (error === undefined) return {};
  if (error instanceof AppError) {
    return error.cause === undefined ? { cause: error.code } : describeError(error.cause);
  }
  if (error instanceof LoggableError) return { cause: error.message };
  if (!(error instanceof Error)) return { cause: "unknown" };
  return { cause: /^\w{1,64}$/.test(error.name) ? error.name : "Error", stack: framesOf(error) };
}

/** The stack without the message, which may have lines that look like frames. */
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

function write(level: Level, event: LogEvent, fields: Fields = {}): void {
  const line: Record<string, unknown> = { time: new Date().toISOString(), level, event };
  line.requestId = requestIds.getStore();
  for (const [name, value] of Object.entries(fields)) {
    if (Object.hasOwn(allowed, name) && kinds[allowed[name as keyof Allowed]](value)) line[name] = value;
  }
  getMeter()?.countLine(event);
  (level === "error" ? process.stderr : process.stdout).write(`${JSON.stringify(line)}\n`);
}
