import "server-only";
import type { IncomingHttpHeaders } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import type { Dispatcher } from "undici";
import { readLimited } from "./read-limited";

let pool: Promise<Dispatcher> | undefined;

/** Loads the HTTP client undici on the first call, so that the server starts faster. */
function loadPool(): Promise<Dispatcher> {
  return (pool ??= import("undici").then(({ Agent }) => new Agent()));
}

/** Pause before the second attempt, in milliseconds. A service may finish its restart during the pause. */
const pauseBeforeRetryMs = 100;

export interface HttpResponse {
  status: number;
  /** Header names are in lower case. */
  headers: IncomingHttpHeaders;
  /** The parsed body. Undefined if the body is not JSON or is longer than `maxBytes`. */
  json: unknown;
  /** True if the body is empty or only white space. */
  isEmpty: boolean;
}

export interface HttpRequest {
  method?: Dispatcher.HttpMethod;
  headers: Record<string, string>;
  body?: string;
  signal: AbortSignal;
}

/** Result of a request that got no complete response: the deadline passed, or the connection failed. */
interface HttpFailure {
  failure: "timeout" | "connection";
}

/** Returns a signal that aborts after the given time. The time starts after undici is loaded. */
export async function timeoutSignal(milliseconds: number): Promise<AbortSignal> {
  await loadPool();
  return AbortSignal.timeout(milliseconds);
}

/** Sends one request and does not follow redirects. Rejects if no complete response arrives. */
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
    // Requests an uncompressed body, because this client cannot decompress bodies.
    headers: { "accept-encoding": "identity", ...headers },
    method: "GET",
    ...init,
  });
  // `trim` also removes a byte order mark.
  const text = (await readLimited(response.body, maxBytes))?.trim();
  const { statusCode: status, headers: received } = response;
  return { status, headers: received, json: parseJson(text), isEmpty: text === "" };
}

/** Fetches JSON. Retries once if the connection fails, or if `retryStatus` returns true for the status. */
export async function fetchJson(
  url: URL,
  options: {
    headers: Record<string, string>;
    /** Time limit for both attempts together, until the last byte of the body. */
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
  // Returns the first result if the deadline passed during the pause, or if the second attempt fails.
  const second = signal.aborted ? first : await attempt();
  return "failure" in second ? first : second;
}

function parseJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? "");
  } catch {
    return undefined;
  }
}
