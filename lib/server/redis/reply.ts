import "server-only";

/** Deadline for one Redis request with its retry, in milliseconds. Endpoints must send a 503 within 2 s. */
export const redisDeadlineMs = 1_500;

export type Command = readonly (string | number)[];

/** Reply to one command, in the format that `@upstash/redis` requires of a requester. */
export type Reply = { result?: unknown; error?: string };

/** Returns the error code of a Redis message, or ERR. The rest may contain keys and values: do not log it. */
export function redisErrorCode(message: string): string {
  return /^[A-Z]{3,}\b/.exec(message)?.[0] ?? "ERR";
}

/** Creates the error for a request without a reply. It contains nothing of the command. */
export function connectionError({ timedOut }: { timedOut: boolean }): Error {
  const error = new Error(timedOut ? "Redis did not answer in time" : "Redis connection failed");
  if (timedOut) error.name = "timeout";
  return error;
}
