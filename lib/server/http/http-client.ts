import "server-only";
import type { IncomingHttpHeaders } from "node:http";
import { setDefaultAutoSelectFamilyAttemptTimeout } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import type { Dispatcher } from "undici";
import { usesEnvProxy } from "@/lib/server/config/env";
import { parseJson, readLimited } from "./read-body";

/** Milliseconds to connect to one address of a name, before the next. Node's 250 are too few for another continent. */
const farAttemptMs = 2_000;
/** The same for captcha and Redis, whose deadlines are about a second. */
export const nearAttemptMs = 500;

const pools: Partial<Record<number, Promise<Dispatcher>>> = {};

/** Loads the HTTP client undici on the first call, so that the server starts faster. */
function loadPool(attemptMs = farAttemptMs): Promise<Dispatcher> {
  const options = { autoSelectFamily: true, autoSelectFamilyAttemptTimeout: attemptMs };
  return (pools[attemptMs] ??= import("undici").then(({ Agent, EnvHttpProxyAgent }) =>
    usesEnvProxy() ? new EnvHttpProxyAgent(options) : new Agent(options),
  ));
}

/** Extends the limit for all connections of the process that have no limit of their own: Redis and `fetch`. */
export function extendConnectionAttempts(): void {
  setDefaultAutoSelectFamilyAttemptTimeout(nearAttemptMs);
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
  attemptMs?: number;
}

/** Result of a request that got no complete response: "timeout", or why the connection failed. */
interface HttpFailure {
  failure: string;
}

/** Returns the code or the name of an error, for example "ECONNREFUSED". Messages may contain addresses. */
export function failureCode(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: string };
  return typeof code === "string" ? code : (name ?? "unknown");
}

/** Returns a signal that aborts after the given time. The time starts after undici is loaded. */
export async function timeoutSignal(milliseconds: number): Promise<AbortSignal> {
  await loadPool();
  return AbortSignal.timeout(milliseconds);
}

/** Sends one request and does not follow redirects. Rejects if no complete response arrives. */
export async function sendRequest(
  url: string | URL,
  { headers, attemptMs, ...init }: HttpRequest,
  maxBytes: number,
): Promise<HttpResponse> {
  const { origin, pathname, search } = new URL(url);
  const dispatcher = await loadPool(attemptMs);
  const response = await dispatcher.request({
    origin,
    path: pathname + search,
    // Requests an uncompressed body, because this client cannot decompress bodies.
    headers: { "accept-encoding": "identity", ...headers },
    method: "GET",
    ...init,
  });
  const { statusCode: status, headers: received, body } = response;
  // A 204 has no body. Some frameworks send a length with it, and undici then fails.
  const read = await readLimited(body, maxBytes).catch((error: unknown) => {
    if (status !== 204) throw error;
    return "";
  });
  // `trim` also removes a byte order mark.
  const text = read?.trim();
  return { status, headers: received, json: parseJson(text), isEmpty: text === "" };
}

/**
 * Fetches JSON. Sends a second request if the connection fails, if `retryStatus` returns true for the status, or if
 * no response is complete after two thirds of the deadline. Then the first usable response counts.
 */
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
    sendRequest(url, { headers: options.headers, signal }, options.maxBytes).catch((error: unknown) => ({
      failure: signal.aborted ? "timeout" : failureCode(error),
    }));
  const isUsable = (result: HttpResponse | HttpFailure) =>
    !("failure" in result) && !options.retryStatus(result.status);

  const first = attempt();
  const early = await Promise.race([first, pause((options.deadlineMs * 2) / 3, null, { ref: false })]);
  if (early && isUsable(early)) return early;
  if (early) await pause(pauseBeforeRetryMs);
  if (signal.aborted) return first;
  const second = attempt();
  const usable = [first, second].map(async (sent) => {
    const result = await sent;
    if (!isUsable(result)) throw new Error("not usable");
    return result;
  });
  return Promise.any(usable).catch(async () => {
    const last = await second;
    return "failure" in last ? first : last;
  });
}
