import "server-only";
import type { IncomingHttpHeaders } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import type { Dispatcher } from "undici";
import { readBounded } from "./read-bounded";

/** One pool for all services: a connection stays open for the next call. */
let pool: Promise<Dispatcher> | undefined;

/** Loaded with the first call, not with the server. */
function client(): Promise<Dispatcher> {
  return (pool ??= import("undici").then(({ Agent }) => new Agent()));
}

/** Between the two tries: a service that is just being restarted gets a moment. */
const pauseBeforeRetryMs = 100;

export interface Answer {
  status: number;
  /** By their names in lower case. */
  headers: IncomingHttpHeaders;
  /** The parsed JSON of the body; undefined when it is none, or too long. */
  json: unknown;
}

export interface Call {
  method?: Dispatcher.HttpMethod;
  headers: Record<string, string>;
  body?: string;
  /** Ends the call, wherever it stands. */
  signal: AbortSignal;
}

/** No complete answer: none in time, or the connection failed or broke. */
export interface NoAnswer {
  failure: "timeout" | "connection";
}

/**
 * What ends a call after so many milliseconds. They count from when a call can be made at all: on a busy machine loading the
 * client takes a second.
 */
export async function deadline(milliseconds: number): Promise<AbortSignal> {
  await client();
  return AbortSignal.timeout(milliseconds);
}

/**
 * One call to a service outside. Redirects are answers and are never followed, nothing is cached, and at most
 * `maxBytes` of the body are read. Rejects when there is no complete answer, with the signal's reason when that ended it.
 */
export async function call(url: string | URL, { headers, ...init }: Call, maxBytes: number): Promise<Answer> {
  const { origin, pathname, search } = new URL(url);
  const answer = await (
    await client()
  ).request({
    origin,
    path: pathname + search,
    // Nothing here unpacks an answer.
    headers: { "accept-encoding": "identity", ...headers },
    method: "GET",
    ...init,
  });
  const text = await readBounded(answer.body, maxBytes);
  return { status: answer.statusCode, headers: answer.headers, json: parseJson(text) };
}

/**
 * Asks a service for JSON, within one deadline for everything: both tries, head and body. Asks a second time when the
 * connection broke, or when `retryStatus` says so of the answer; a time-out leaves no time for that.
 */
export async function askForJson(
  url: URL,
  options: {
    headers: Record<string, string>;
    deadlineMs: number;
    maxBytes: number;
    retryStatus: (status: number) => boolean;
  },
): Promise<Answer | NoAnswer> {
  const signal = await deadline(options.deadlineMs);
  const ask = (): Promise<Answer | NoAnswer> =>
    call(url, { headers: options.headers, signal }, options.maxBytes).catch(() => ({
      failure: signal.aborted ? "timeout" : "connection",
    }));

  const first = await ask();
  const again = "failure" in first ? first.failure === "connection" : options.retryStatus(first.status);
  if (!again) return first;
  await pause(pauseBeforeRetryMs);
  // An answer that came is better than the time-out of asking again.
  const second = signal.aborted ? first : await ask();
  return "failure" in second ? first : second;
}

function parseJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? "");
  } catch {
    return undefined;
  }
}
