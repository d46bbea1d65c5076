import type { ApiFailure } from "@/lib/schemas/api-responses";
import { attempt, saysOffline, timeoutSignal } from "@/lib/client/browser/interfaces";
import { recordResponseDate } from "@/lib/client/browser/server-clock";
import type { Check } from "@/lib/client/browser/shapes";

/** Time limit for a response. A timeout is handled like a lost connection. */
const timeoutMs = 30_000;

/* These messages do not say that the request failed, because the server may have processed the request. */
const noResponseMessage = "No answer came from the server. Check your connection and try again.";
const offlineMessage = "Your browser is offline. Check your connection and try again.";

/** Error of a failed API request. `message` is for logs ("503: Not now."). Pages show `visitorMessage`. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  /** Error code in the response body, for example "cooldown". */
  readonly code: string | null;
  readonly fields: Readonly<Record<string, string>>;

  constructor(
    message: string,
    /** HTTP status, or 0 if no response arrived. */
    readonly status: number,
    /** Message for visitors from the response body. If no response arrived, a message about the connection. */
    readonly visitorMessage: string | null,
    readonly retryAfterSeconds: number | null = null,
    /** Parsed response body, or undefined if the body is not JSON. */
    readonly data?: unknown,
  ) {
    super(message);
    const { code = null, fields = {} } = (data ?? {}) as Partial<ApiFailure>;
    this.code = code;
    this.fields = fields;
  }
}

export interface RequestOptions {
  fingerprint?: string | null;
  /** Checks the JSON of a successful response (shapes.ts). Without a check, all JSON is accepted. */
  accepts?: Check;
  /** A repeated request with the same key returns the first response and has no second effect. */
  idempotencyKey?: string;
}

/** Sends a GET request and returns the JSON of the response. Throws ApiError. */
export function getJson<T>(path: string, options?: RequestOptions): Promise<T> {
  return callApi<T>(path, { method: "GET" }, options);
}

/** Sends a POST request with a JSON body and returns the JSON of the response. Throws ApiError. */
export function postJson<T>(path: string, body: unknown, options?: RequestOptions): Promise<T> {
  return callApi<T>(path, { method: "POST", body: JSON.stringify(body) }, options);
}

/** Returns the visitor message of an ApiError, or `fallback` if the error has none. */
export function getVisitorMessage(error: unknown, fallback: string): string {
  return (error instanceof ApiError && error.visitorMessage) || fallback;
}

/** Returns the visitor message of an error. The default message says that the server caused the error. */
export function failureReason(error: unknown): string {
  return getVisitorMessage(error, "The fault is on our side. Please try again in a moment.");
}

/** Returns true if the failed request, or an earlier request with its Idempotency-Key, may have succeeded. */
export function mayHaveSucceeded(error: unknown): boolean {
  if (!isClientError(error)) return true;
  // A 4xx response proves that this request failed. After status 429 or the code "in_progress", an earlier
  // request with the same key may have succeeded.
  return error.status === 429 || error.code === "in_progress";
}

/** Returns true if a failed request may have used its captcha token. A retry then needs a new token. */
export function mayHaveUsedToken(error: unknown, hasIdempotencyKey: boolean): boolean {
  if (!hasIdempotencyKey) return mayHaveSucceeded(error);
  // If the request has an Idempotency-Key, the server first checks the rate limit, then looks for a stored
  // response, and checks the token last. After a lost response or status 429, the client can reuse the token.
  return error instanceof ApiError && error.status !== 0 && !isClientError(error);
}

/** Returns true if a request failed and the browser says that it is offline. One of these facts alone proves nothing. */
export function isOffline(error: unknown): error is ApiError {
  return error instanceof ApiError && error.visitorMessage === offlineMessage;
}

function isClientError(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status >= 400 && error.status < 500;
}

async function callApi<T>(path: string, init: RequestInit, options: RequestOptions = {}): Promise<T> {
  const { fingerprint, idempotencyKey, accepts = () => true } = options;
  const headers = new Headers({ Accept: "application/json" });
  if (init.body) headers.set("Content-Type", "application/json");
  if (fingerprint) headers.set("x-visitor-fingerprint", fingerprint);
  if (idempotencyKey) headers.set("Idempotency-Key", idempotencyKey);
  const signal = timeoutSignal(timeoutMs);
  const response = await fetch(path, { ...init, headers, credentials: "include", signal }).catch(() => {
    const message = saysOffline() ? offlineMessage : noResponseMessage;
    throw new ApiError(`0: ${message}`, 0, message);
  });
  recordResponseDate(response);
  const text = await response.text().catch(() => null);
  if (!response.ok) throw createApiError(response, text);
  const data = parse(text);
  // A public network may replace the API response with its login page. The result is then unknown.
  if (data === undefined || !accepts(data))
    throw new ApiError(`${response.status}: ${response.statusText}`, response.status, null);
  return data as T;
}

function createApiError(response: Response, text: string | null): ApiError {
  const { status } = response;
  const retryAfter = Number.parseInt(response.headers.get("Retry-After") ?? "", 10);
  const retryAfterSeconds = Number.isFinite(retryAfter) ? retryAfter : null;
  const data = parse(text);
  const said = (data as Partial<ApiFailure> | null | undefined)?.message;
  // Only a text can be rendered.
  const visitorMessage = typeof said === "string" && said ? said : null;
  const message = visitorMessage ?? (text || response.statusText);
  return new ApiError(`${status}: ${message}`, status, visitorMessage, retryAfterSeconds, data);
}

function parse(text: string | null): unknown {
  return text === null ? undefined : attempt(() => JSON.parse(text) as unknown);
}
