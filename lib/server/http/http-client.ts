import "server-only";
import type { IncomingHttpHeaders } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import type { Dispatcher } from "undici";
import { readLimited } from "./read-limited";

/** One pool for all services: a connection stays open for the next call. */
let pool: Promise<Dispatcher> | undefined;

/** Loaded with the first call, not with the server. */
function client(): Promise<Dispatcher> {
  return (pool ??= import("undici").then(({ Agent }) => new Agent()));
}

/** Between the two tries: a service that is just being restarted gets a moment. */
const pauseBeforeRetryMs = 100;

export interface HttpResponse {
  status: number;
  /** By their names in lower case. */
  headers: IncomingHttpHeaders;
  /** The parsed JSON of the body; undefined when it is none, or too long. */
  json: unknown;
}

export interface HttpRequest {
  method?: Dispatcher.HttpMethod;
  headers: Record<string, string>;
  body?: string;
  /** Ends the call, wherever it stands. */
  signal: AbortSignal;
}

/** No complete answer: none in time, or the connection failed or broke. */
export interface HttpFailure {
  failure: "timeout" | "connection";
}

/**
 * What ends a call after so many milliseconds. They count from when a call can be made at all: on a busy machine loading the
 * client takes a second.
 */
export async function timeoutSignal(milliseconds: number): Promise<AbortSignal> {
  await client();
  return AbortSignal.timeout(milliseconds);
}

/**
 * One call to a service outside. Redirects are answers and are never followed, nothing is cached, and at most
 * `maxBytes` of the body are read. Rejects when there is no complete answer, with the signal's reason when that ended it.
 */
export async function sendRequest(
  url: string | URL,
  { headers, ...init }: HttpRequest,
  maxBytes: number,
): Promise<HttpResponse> {
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
  const text = await readLimited(answer.body, maxBytes);
  return { status: answer.statusCode, headers: answer.headers, json: parseJson(text) };
}

/**
 * Asks a service for JSON, within one deadline for everything: both tries, head and body. Asks a second time when the
 * connection broke, or when `retryStatus` says so of the answer; a time-out leaves no time for that.
 */
export async function fetchJson(
  url: URL,
  options: {
    headers: Record<string, string>;
    deadlineMs: number;
    maxBytes: number;
    retryStatus: (status: number) => boolean;
  },
): Promise<HttpResponse | HttpFailure> {
  const signal = await timeoutSignal(options.deadlineMs);
  const ask = (): Promise<HttpResponse | HttpFailure> =>
    sendRequest(url, { headers: options.headers, signal }, options.maxBytes).catch(() => ({
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
