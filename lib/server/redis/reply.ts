import "server-only";

/** How long one Redis request may take, all tries included: a failing endpoint has to answer 503 within 2 s. */
export const redisDeadlineMs = 1_500;

export type Command = readonly (string | number)[];

/** One command's answer in the form that `@upstash/redis` expects of a requester. */
export type Reply = { result?: unknown; error?: string };

/** Redis's error code: the first word of its message, and all of it that may be logged (the rest may hold keys and values). */
export function redisErrorCode(message: string): string {
  return /^[A-Z]{3,}\b/.exec(message)?.[0] ?? "ERR";
}

/** What a request without an answer rejects with, whatever the transport: nothing of its command is said. */
export function connectionError({ timedOut }: { timedOut: boolean }): Error {
  const error = new Error(timedOut ? "Redis did not answer in time" : "Redis connection failed");
  if (timedOut) error.name = "timeout";
  return error;
}
