import "server-only";
import { AppError } from "@/lib/http/errors";
import { LoggableError } from "@/lib/server/ops/log";

/** Seconds that a visitor is told to wait when something did not answer in time. */
export const retryAfterSeconds = 5;

/**
 * Resolves or rejects with the work, or rejects with `service_unavailable` (503 with Retry-After) when the deadline
 * passes first, whatever the work still comes to.
 *
 * @param what names in the log what was late
 */
export function withTimeout<T>(what: string, deadlineMs: number, work: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      const cause = new LoggableError(`${what} failed (timeout)`);
      reject(new AppError("service_unavailable", { retryAfterSeconds, cause }));
    }, deadlineMs);
    void work()
      .then(resolve, reject)
      .then(() => clearTimeout(timer));
  });
}
