import "server-only";

/** Deadline for a Redis request and its retry, in milliseconds. Endpoints must send a 503 within 2 s. */
export const redisDeadlineMs = 1_500;

export type Command = readonly (string | number)[];

/** Reply to one command. The `Redis` class of `@upstash/redis` expects this format from its requester. */
export type Reply = { result?: unknown; error?: string };

/** Returns the code of a Redis error, or "ERR". The message may contain keys and values: do not log it. */
export function redisErrorCode(message: string): string {
  return /^[A-Z]{3,}\b/.exec(message)?.[0] ?? "ERR";
}

/** Creates the error for a request that got no reply. The error contains no part of the command. */
export function connectionError({ timedOut }: { timedOut: boolean }): Error {
  const error = new Error(timedOut ? "Redis did not answer in time" : "Redis connection failed");
  if (timedOut) error.name = "timeout";
  return error;
}
