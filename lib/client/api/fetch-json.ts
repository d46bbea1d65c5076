/** Time limit for a response; a timeout counts as a connection failure. */
const timeoutMs = 30_000;

/** The messages do not claim that the request failed: the server may have processed the request. */
const noResponseMessage = "No answer came from the server. Check your connection and try again.";
const offlineMessage = "Your browser is offline. Check your connection and try again.";

/** A failed API request. `message` is for logs ("503: Not now."); pages show `visitorMessage`. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  /** HTTP status, or 0 without a response. */
  readonly status: number;
  /** Parsed response body, or undefined if the body is not JSON. */
  readonly data: unknown;
  /** Error code in the response body, for example "cooldown". */
  readonly code: string | null;
  readonly retryAfterSeconds: number | null;
  /** Message of the response body, for visitors; null if the body has no message. */
  readonly visitorMessage: string | null;
  readonly fields: Readonly<Record<string, string>>;

  constructor(
    message: string,
    details: {
      status: number;
      data?: unknown;
      visitorMessage?: string | null;
      retryAfterSeconds?: number | null;
    },
  ) {
    super(message);
    this.status = details.status;
    this.data = details.data;
    this.visitorMessage = details.visitorMessage ?? null;
    this.retryAfterSeconds = details.retryAfterSeconds ?? null;
    this.code = readText(details.data, "code");
    this.fields = readFields(details.data);
  }
}

export interface PostOptions {
  /** A repeated request with the same key returns the first response and has no second effect. */
  idempotencyKey?: string;
  fingerprint?: string | null;
}

/** Sends a GET request and returns the JSON of the response. Throws ApiError. */
export function getJson<T>(path: string, options: { fingerprint?: string | null } = {}): Promise<T> {
  return callApi<T>(path, { method: "GET", headers: visitorHeaders(options.fingerprint) });
}

/** Sends a POST request with a JSON body and returns the JSON of the response. Throws ApiError. */
export function postJson<T>(path: string, body: unknown, options: PostOptions = {}): Promise<T> {
  const headers = visitorHeaders(options.fingerprint);
  headers.set("Content-Type", "application/json");
  if (options.idempotencyKey) headers.set("Idempotency-Key", options.idempotencyKey);
  return callApi<T>(path, { method: "POST", headers, body: JSON.stringify(body) });
}

/** Returns the server's message for visitors, or the fallback. */
export function getVisitorMessage(error: unknown, fallback: string): string {
  return (error instanceof ApiError && error.visitorMessage) || fallback;
}

/** Returns the server's message, or a sentence that names a server fault, for the details of an error. */
export function failureReason(error: unknown): string {
  return getVisitorMessage(error, "The fault is on our side. Please try again in a moment.");
}

/** Returns true if a failed request, or an earlier try with the same Idempotency-Key, may have succeeded. */
export function mayHaveSucceeded(error: unknown): boolean {
  if (!isClientError(error)) return true;
  // Only a 4xx response proves that this try failed. Status 429 says nothing about an earlier try.
  return error.status === 429 || error.code === "in_progress";
}

/** Returns true if the captcha token of a failed request may be spent. */
export function mayHaveUsedToken(error: unknown, hasIdempotencyKey: boolean): boolean {
  if (!hasIdempotencyKey) return mayHaveSucceeded(error);
  // With a key, the server checks the rate limit and the stored response before the token. A lost response or
  // status 429 therefore leaves the token usable.
  return error instanceof ApiError && error.status !== 0 && !isClientError(error);
}

function isClientError(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status >= 400 && error.status < 500;
}

function visitorHeaders(fingerprint: string | null | undefined): Headers {
  const headers = new Headers({ Accept: "application/json" });
  if (fingerprint) headers.set("x-visitor-fingerprint", fingerprint);
  return headers;
}

async function callApi<T>(path: string, init: RequestInit): Promise<T> {
  const response = await sendRequest(path, init);
  const text = await response.text().catch(() => null);
  if (!response.ok) throw createApiError(response, text);
  const data = parse(text);
  // A public network may send a login page instead of JSON. The result of the request is then unknown.
  if (data === undefined) throw new ApiError(statusLine(response), { status: response.status });
  return data as T;
}

async function sendRequest(path: string, init: RequestInit): Promise<Response> {
  try {
    // Older browsers do not support AbortSignal.timeout; their requests have no time limit.
    const signal = typeof AbortSignal.timeout === "function" ? AbortSignal.timeout(timeoutMs) : undefined;
    return await fetch(path, { ...init, credentials: "include", signal });
  } catch {
    // `navigator.onLine` is only reliable when false; true does not mean that the Internet is reachable.
    const message = navigator.onLine ? noResponseMessage : offlineMessage;
    throw new ApiError(`0: ${message}`, { status: 0, visitorMessage: message });
  }
}

function createApiError(response: Response, text: string | null): ApiError {
  const { status } = response;
  const retryAfter = Number.parseInt(response.headers.get("Retry-After") ?? "", 10);
  const retryAfterSeconds = Number.isFinite(retryAfter) ? retryAfter : null;
  if (text === null) return new ApiError(statusLine(response), { status, retryAfterSeconds });
  const data = parse(text);
  const visitorMessage = readText(data, "message");
  const message = visitorMessage ?? (text || response.statusText);
  return new ApiError(`${status}: ${message}`, { status, data, visitorMessage, retryAfterSeconds });
}

function statusLine(response: Response): string {
  return `${response.status}: ${response.statusText}`;
}

function parse(text: string | null): unknown {
  try {
    return text === null ? undefined : (JSON.parse(text) as unknown);
  } catch {
    return undefined;
  }
}

function readText(data: unknown, field: string): string | null {
  const value = isRecord(data) ? data[field] : undefined;
  return typeof value === "string" && value !== "" ? value : null;
}

function readFields(data: unknown): Record<string, string> {
  const fields = isRecord(data) ? data.fields : undefined;
  if (!isRecord(fields)) return {};
  return Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
