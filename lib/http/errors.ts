import { limits } from "@/lib/config/limits";

/** Each API error code with its HTTP status and message for visitors. Only the log has internal details. */
export const errorTable = {
  invalid_json: { status: 400, message: "The request could not be read." },
  unauthorized: { status: 401, message: "Not allowed." },
  captcha_rejected: { status: 403, message: "Verification failed. Please complete the check again." },
  cross_site: { status: 403, message: "This request did not come from this site." },
  flow_required: { status: 403, message: "Please start from step 1." },
  not_found: { status: 404, message: "Not found." },
  request_timeout: { status: 408, message: "The request took too long to arrive. Please try again." },
  in_progress: { status: 409, message: "Your request is already being processed." },
  order_abandoned: {
    status: 409,
    message: "Your request could not be confirmed and was closed. You can request again.",
  },
  post_mismatch: {
    status: 409,
    message:
      "You have started again with another post since, perhaps in another tab. Please start from step 1.",
  },
  body_too_large: { status: 413, message: "The request is too large." },
  unsupported_media_type: { status: 415, message: "The request must be JSON." },
  delivery_refused: { status: 422, message: "The delivery service refused this post." },
  idempotency_key_reused: { status: 422, message: "This request was already used for another post." },
  invalid_request: { status: 422, message: "Invalid input" },
  post_blocked: {
    status: 422,
    message: "This post cannot get likes: we accept no requests for it. Please choose another post.",
  },
  address_cap: {
    status: 429,
    message: "Too many requests came from your network in the last 24 hours. Please try again later.",
  },
  cooldown: {
    status: 429,
    message:
      "You've already received your free likes. " +
      `You can request again once the ${limits.cooldownSeconds / 3_600} hours are over.`,
  },
  daily_cap: {
    status: 429,
    message: "You've used all your free requests of the last 24 hours. Please try again later.",
  },
  daily_limit: { status: 429, message: "Our daily API limit has been reached. Please try again tomorrow." },
  message_cap: {
    status: 429,
    message:
      "Too many messages came from your network in the last 24 hours. Please write us an email instead.",
  },
  paced: {
    status: 429,
    message:
      "Today's free likes are spread over the day. Please wait for the next ones. Nothing was counted.",
  },
  rate_limited: { status: 429, message: "Too many requests. Please wait a moment and try again." },
  internal: { status: 500, message: "Something went wrong on our side. Please try again." },
  captcha_unavailable: {
    status: 503,
    message: "Verification is not available right now. Please try again in a moment.",
  },
  inbox_full: {
    status: 503,
    message: "Our inbox is full, so your message was not kept. Please write us an email instead.",
  },
  lookup_unavailable: {
    status: 503,
    message: "We couldn't check your post right now. Please try again in a moment.",
  },
  order_pending: {
    status: 503,
    message: "Your request is being processed. It has not been confirmed yet; please check back in a minute.",
  },
  service_unavailable: {
    status: 503,
    message: "The service is not available right now. Please try again in a moment.",
  },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof errorTable;

export interface AppErrorOptions {
  message?: string;
  /** Value of the Retry-After header, in whole seconds. */
  retryAfterSeconds?: number;
  /** Time from which the pace of the day allows an order (ISO date-time). */
  nextLikesAt?: string;
  /** Validation messages by field name. Set if the request body does not match the schema. */
  fields?: Record<string, string>;
  cause?: unknown;
}

/** Error with a code from `errorTable`. The API sends the response body `{success: false, code, message}`. */
export class AppError extends Error {
  override readonly name = "AppError";
  readonly status: number;
  readonly retryAfterSeconds?: number;
  readonly nextLikesAt?: string;
  readonly fields?: Record<string, string>;

  constructor(
    readonly code: ErrorCode,
    { message, cause, ...details }: AppErrorOptions = {},
  ) {
    super(message ?? errorTable[code].message, { cause });
    this.status = errorTable[code].status;
    Object.assign(this, details);
  }
}
