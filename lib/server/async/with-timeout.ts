import "server-only";
import { AppError } from "@/lib/http/errors";
import { LoggableError } from "@/lib/server/ops/log";

/** Value of Retry-After in a 503 response after a time-out or a Redis error, in seconds. */
export const retryAfterSeconds = 5;

/** Runs `work`. Rejects with a 503 AppError after `deadlineMs`. The error's log line contains `operation`. */
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
