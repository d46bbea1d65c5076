import "server-only";
import type { IncomingHttpHeaders } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import type { Dispatcher } from "undici";
import { readLimited } from "./read-limited";

let pool: Promise<Dispatcher> | undefined;

/** Loads undici on the first call, so that the server starts faster. */
function loadPool(): Promise<Dispatcher> {
  return (pool ??= import("undici").then(({ Agent }) => new Agent()));
}

/** Pause between the two attempts, in milliseconds: time for a service to restart. */
const pauseBeforeRetryMs = 100;

export interface HttpResponse {
  status: number;
  /** Header names are in lower case. */
  headers: IncomingHttpHeaders;
  /** The parsed body; undefined when the body is not JSON or is longer than the limit. */
  json: unknown;
}

export interface HttpRequest {
  method?: Dispatcher.HttpMethod;
  headers: Record<string, string>;
  body?: string;
  signal: AbortSignal;
}

/** The client received no complete response: the deadline passed, or the connection failed. */
interface HttpFailure {
  failure: "timeout" | "connection";
}

/** Returns a signal that aborts after the given time. Loads undici first, which can take a second. */
export async function timeoutSignal(milliseconds: number): Promise<AbortSignal> {
  await loadPool();
  return AbortSignal.timeout(milliseconds);
}

/** Sends one request without redirects. Rejects without a complete response. */
export async function sendRequest(
  url: string | URL,
  { headers, ...init }: HttpRequest,
  maxBytes: number,
): Promise<HttpResponse> {
  const { origin, pathname, search } = new URL(url);
  const dispatcher = await loadPool();
  const response = await dispatcher.request({
    origin,
    path: pathname + search,
    // This client does not decompress bodies.
    headers: { "accept-encoding": "identity", ...headers },
    method: "GET",
    ...init,
  });
  const text = await readLimited(response.body, maxBytes);
  return { status: response.statusCode, headers: response.headers, json: parseJson(text) };
}

/** Fetches JSON. Retries once after a connection error, or when `retryStatus` returns true. */
export async function fetchJson(
  url: URL,
  options: {
    headers: Record<string, string>;
    /** Time limit for both attempts, including the bodies. */
    deadlineMs: number;
    maxBytes: number;
    retryStatus: (status: number) => boolean;
  },
): Promise<HttpResponse | HttpFailure> {
  const signal = await timeoutSignal(options.deadlineMs);
  const attempt = (): Promise<HttpResponse | HttpFailure> =>
    sendRequest(url, { headers: options.headers, signal }, options.maxBytes).catch(() => ({
      failure: signal.aborted ? "timeout" : "connection",
    }));

  const first = await attempt();
  const shouldRetry = "failure" in first ? first.failure === "connection" : options.retryStatus(first.status);
  if (!shouldRetry) return first;
  await pause(pauseBeforeRetryMs);
  // Prefers any complete first response to a failed retry.
  const second = signal.aborted ? first : await attempt();
  return "failure" in second ? first : second;
}

function parseJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? "");
  } catch {
    return undefined;
  }
}
