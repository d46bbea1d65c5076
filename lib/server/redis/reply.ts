import "server-only";

/**
 * Maximum duration of a Redis request and its retry, in milliseconds. If Redis fails, endpoints must send a
 * 503 response within 2 s.
 */
export const redisDeadlineMs = 1_500;

export type Command = readonly (string | number)[];

/** Reply to one command. The `Redis` class of `@upstash/redis` expects this format from its requester. */
export type Reply = { result?: unknown; error?: string };

/**
 * Returns the code of a Redis error, or "ERR" if the message has no code. Do not log the message, because it
 * may contain keys and values.
 */
export function redisErrorCode(message: string): string {
  return /^[A-Z]{3,}\b/.exec(message)?.[0] ?? "ERR";
}

/** Creates the error for a request without a reply. The error contains no part of the command. */
export function connectionError({ timedOut }: { timedOut: boolean }): Error {
  const error = new Error(timedOut ? "Redis did not answer in time" : "Redis connection failed");
  if (timedOut) error.name = "timeout";
  return error;
}
