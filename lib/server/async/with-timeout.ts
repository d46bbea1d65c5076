import "server-only";
import { AsyncLocalStorage } from "node:async_hooks";
import { AppError } from "@/lib/http/errors";
import { LoggableError } from "@/lib/server/log/log";

/** Retry-After value, in seconds, of a 503 response after a time-out or a Redis error. */
export const retryAfterSeconds = 5;

interface Timer {
  start(): void;
  stop(): void;
}

/** The timer of the innermost `withTimeout` around the running code. */
const timers = new AsyncLocalStorage<Timer>();

/** Runs `work`. Rejects with `timeoutError()` after `deadlineMs`. Does not stop the work. */
export function withTimeout<T>(
  deadlineMs: number,
  timeoutError: () => Error,
  work: () => Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = createTimer(deadlineMs, () => reject(timeoutError()));
    timer.start();
    void timers.run(timer, work).then(resolve, reject).then(timer.stop);
  });
}

/** Runs `work`, which needs its own time limit. Its time does not count for the `withTimeout` around it. */
export async function pauseTimeout<T>(work: () => Promise<T>): Promise<T> {
  const timer = timers.getStore();
  timer?.stop();
  try {
    return await work();
  } finally {
    timer?.start();
  }
}

function createTimer(leftMs: number, onTimeout: () => void): Timer {
  let startedAt = 0;
  let timeout: NodeJS.Timeout;
  return {
    start() {
      startedAt = performance.now();
      timeout = setTimeout(onTimeout, leftMs);
    },
    stop() {
      clearTimeout(timeout);
      leftMs -= performance.now() - startedAt;
    },
  };
}

/** Creates the error for a time-out (status 503). The log names `operation`. */
export function timeoutError(operation: string): AppError {
  const cause = new LoggableError(`${operation} failed (timeout)`);
  return new AppError("service_unavailable", { retryAfterSeconds, cause });
}
