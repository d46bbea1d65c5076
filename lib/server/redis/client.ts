import "server-only";
import { Redis } from "@upstash/redis";
import { AppError } from "@/lib/errors";
import { getEnv, type Env } from "../env";
import { redisDeadlineMs } from "./deadline";
import { createTcpRequester } from "./tcp";

/** Seconds that a visitor is told to wait while Redis does not answer. */
const retryAfterSeconds = 5;

let shared: Redis | undefined;

/** The one Redis client of this process. */
export function getRedis(): Redis {
  return (shared ??= createRedis(getEnv().redis));
}

/**
 * A client for either transport: Upstash's REST API, or TCP to any Redis or Valkey. What uses it cannot tell which.
 */
export function createRedis(settings: Env["redis"]): Redis {
  if (settings.kind === "tcp") return new Redis(createTcpRequester(settings.url));
  return new Redis({
    url: settings.url,
    token: settings.token,
    enableTelemetry: false,
    retry: { retries: 1, backoff: () => 50 },
    // A function: a plain signal that fires would resolve as null instead of rejecting.
    signal: () => AbortSignal.timeout(redisDeadlineMs),
  });
}

/**
 * Runs a piece of work on Redis and turns every failure of it into `service_unavailable` (503 with Retry-After): the
 * product fails closed. The cause keeps the name of the operation and Redis's error code, never a message, because
 * messages of the client hold keys and values.
 */
export async function onRedis<T>(operation: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError("service_unavailable", {
      retryAfterSeconds,
      cause: new Error(`Redis: ${operation} failed (${errorCode(error)})`),
    });
  }
}

function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  if (error.name === "TimeoutError" || error.message === "Redis did not answer in time") return "timeout";
  return /^[A-Z]{3,}\b/.exec(error.message)?.[0] ?? error.name;
}
