import "server-only";
import { AppError } from "@/lib/http/errors";
import { LoggableError } from "@/lib/server/ops/log";

/** Retry-After value, in seconds, of a 503 response after a time-out or a Redis error. */
export const retryAfterSeconds = 5;

/** Runs `work`. Rejects with `timeoutError()` after `deadlineMs`. Does not stop the work. */
export function withTimeout<T>(
  deadlineMs: number,
  timeoutError: () => Error,
  work: () => Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(timeoutError()), deadlineMs);
    void work()
      .then(resolve, reject)
      .then(() => clearTimeout(timer));
  });
}

/** Creates the error for a time-out (status 503). The log names `operation`. */
export function timeoutError(operation: string): AppError {
  const cause = new LoggableError(`${operation} failed (timeout)`);
  return new AppError("service_unavailable", { retryAfterSeconds, cause });
}
