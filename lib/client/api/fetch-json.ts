/** No answer within this time counts as no connection. */
const timeoutMs = 30_000;

/** Neither says that the server could not be reached: it may have done what was asked. */
const noAnswerMessage = "No answer came from the server. Check your connection and try again.";
const offlineMessage = "Your browser is offline. Check your connection and try again.";

/**
 * A call that failed. Its `message` follows one rule for every call (status, colon, the server's words) and is
 * meant for logs; screens show `visitorMessage`.
 */
export class ApiError extends Error {
  override readonly name = "ApiError";
  /** The HTTP status; 0 when there was no answer. */
  readonly status: number;
  /** The answer's JSON, if it was JSON. */
  readonly data: unknown;
  /** The failure's code in the answer, for example "cooldown". */
  readonly code: string | null;
  /** From Retry-After: when trying again may help. */
  readonly retryAfterSeconds: number | null;
  /** The server's words alone, without the status; null when it sent none that a person could read. */
  readonly visitorMessage: string | null;
  /** Field name -> message, when the body did not pass the server's checks. */
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
  /** Repeating a call under the same key repeats its answer, not its effect. */
  idempotencyKey?: string;
  fingerprint?: string | null;
}

/** GETs a path of the API and returns its JSON; throws ApiError. */
export function getJson<T>(path: string, options: { fingerprint?: string | null } = {}): Promise<T> {
  return callApi<T>(path, { method: "GET", headers: visitorHeaders(options.fingerprint) });
}

/** POSTs JSON to a path of the API and returns the JSON of its answer; throws ApiError. */
export function postJson<T>(path: string, body: unknown, options: PostOptions = {}): Promise<T> {
  const headers = visitorHeaders(options.fingerprint);
  headers.set("Content-Type", "application/json");
  if (options.idempotencyKey) headers.set("Idempotency-Key", options.idempotencyKey);
  return callApi<T>(path, { method: "POST", headers, body: JSON.stringify(body) });
}

/** The words for a visitor: the server's, or the fallback. */
export function visitorMessageOf(error: unknown, fallback: string): string {
  return (error instanceof ApiError && error.visitorMessage) || fallback;
}

/** Why a call failed, for below what a screen says first: the server's words, that no answer came, or that it is our fault. */
export function failureReason(error: unknown): string {
  return visitorMessageOf(error, "The fault is on our side. Please try again in a moment.");
}

/**
 * Whether the server has, or may have, done what a failed call asked for, then or on an earlier try under the same
 * Idempotency-Key: trying again under that key tells. Only an answer that refuses (4xx) says that it has not; a 200 that
 * could not be read has not told.
 */
export function mayHaveSucceeded(error: unknown): boolean {
  if (!isRefusal(error)) return true;
  // 429: this try was not looked at, an earlier one may have been.
  return error.status === 429 || error.code === "in_progress";
}

/**
 * Whether the token of the human check that a failed call carried has to be taken for used up.
 *
 * @param underKey the call carried an Idempotency-Key. Then what it asked for is found before its token is checked: a call
 *   whose answer was lost goes out again with the same token; and the burst limit (429) is counted before both. The
 *   verification of step 1 has no key, uses its token up with the first call, and counts the limit meanwhile.
 */
export function mayHaveUsedToken(error: unknown, underKey: boolean): boolean {
  if (!underKey) return mayHaveSucceeded(error);
  return error instanceof ApiError && error.status !== 0 && !isRefusal(error);
}

function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status >= 400 && error.status < 500;
}

function visitorHeaders(fingerprint: string | null | undefined): Headers {
  const headers = new Headers({ Accept: "application/json" });
  if (fingerprint) headers.set("x-visitor-fingerprint", fingerprint);
  return headers;
}

async function callApi<T>(path: string, init: RequestInit): Promise<T> {
  const response = await reach(path, init);
  const text = await response.text().catch(() => null);
  if (!response.ok) throw failure(response, text);
  const data = parse(text);
  // A page of a hotel's network, say: nothing is known about what the call did.
  if (data === undefined) throw new ApiError(statusLine(response), { status: response.status });
  return data as T;
}

async function reach(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, { ...init, credentials: "include", signal: deadline() });
  } catch {
    // `true` promises nothing: it only says that there is some network.
    const words = navigator.onLine ? noAnswerMessage : offlineMessage;
    throw new ApiError(`0: ${words}`, { status: 0, visitorMessage: words });
  }
}

function deadline(): AbortSignal | undefined {
  // Older browsers go without.
  return typeof AbortSignal.timeout === "function" ? AbortSignal.timeout(timeoutMs) : undefined;
}

/** The one rule for failed answers: status, colon, then the JSON's message, else the text, else the status text. */
function failure(response: Response, text: string | null): ApiError {
  const { status } = response;
  const retryAfter = Number.parseInt(response.headers.get("Retry-After") ?? "", 10);
  const retryAfterSeconds = Number.isFinite(retryAfter) ? retryAfter : null;
  if (text === null) return new ApiError(statusLine(response), { status, retryAfterSeconds });
  const data = parse(text);
  const visitorMessage = readText(data, "message");
  const words = visitorMessage ?? (text || response.statusText);
  return new ApiError(`${status}: ${words}`, { status, data, visitorMessage, retryAfterSeconds });
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
