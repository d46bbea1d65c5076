import "server-only";

/** Time limit of a Redis request and its retry, in milliseconds. Endpoints must respond within 2 s. */
export const redisDeadlineMs = 1_500;

export type Command = readonly (string | number)[];

/** Reply to one command. The `Redis` class of `@upstash/redis` expects this format from its requester. */
export type Reply = { result?: unknown; error?: string };

/** Errors of Upstash's plans: commands of a day or month, stored bytes (https://upstash.com/docs/redis/troubleshooting). */
export const quotaErrorPattern = /ERR (?:max (?:daily )?requests? limit|DB capacity quota) exceeded/i;

/** Returns the code of a Redis error, also "QUOTA", "MAXCLIENTS" and "NOPERM", or "ERR". Do not log the message: it may contain keys and values. */
export function redisErrorCode(message: string): string {
  if (quotaErrorPattern.test(message)) return "QUOTA";
  if (/max number of clients/i.test(message)) return "MAXCLIENTS";
  if (/user executing the script can't/i.test(message)) return "NOPERM";
  // Redis 6 puts "ERR ... -" before the code of a script error.
  return /^(?:ERR Error running script [^-]*-)?([A-Z]{3,})\b/.exec(message)?.[1] ?? "ERR";
}

/** Creates the error for a request without a reply. The error contains no part of the command. */
export function connectionError({ timedOut }: { timedOut: boolean }): Error {
  const error = new Error(timedOut ? "Redis did not answer in time" : "Redis connection failed");
  if (timedOut) error.name = "timeout";
  return error;
}
