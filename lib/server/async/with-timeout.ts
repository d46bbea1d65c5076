import "server-only";
import { AppError } from "@/lib/http/errors";
import { LoggableError } from "@/lib/server/ops/log";

/** Retry-After value, in seconds, of a 503 response after a time-out or a Redis error. */
export const retryAfterSeconds = 5;

/** Runs `work`. Rejects with an AppError (status 503) after `deadlineMs`. The log names `operation`. */
export function withTimeout<T>(operation: string, deadlineMs: number, work: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      const cause = new LoggableError(`${operation} failed (timeout)`);
      reject(new AppError("service_unavailable", { retryAfterSeconds, cause }));
    }, deadlineMs);
    void work()
      .then(resolve, reject)
      .then(() => clearTimeout(timer));
  });
}
