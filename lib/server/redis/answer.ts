import "server-only";

export type Command = readonly (string | number)[];

/** One command's answer in the form that `@upstash/redis` expects of a requester. */
export type Answer = { result?: unknown; error?: string };

/** Redis's error code: the first word of its message, and all of it that may be logged (the rest may hold keys and values). */
export function redisErrorCode(message: string): string {
  return /^[A-Z]{3,}\b/.exec(message)?.[0] ?? "ERR";
}
