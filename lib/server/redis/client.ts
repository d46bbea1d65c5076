import "server-only";
import { Redis } from "@upstash/redis";
import { AppError } from "@/lib/http/errors";
import { retryAfterSeconds, timeoutError, withTimeout } from "@/lib/server/async/with-timeout";
import { getEnv, type Env } from "@/lib/server/config/env";
import { LoggableError } from "@/lib/server/log/log";
import { redisDeadlineMs } from "./reply";
import { withMetrics } from "./with-metrics";
import { createRestRequester } from "./rest";
import { createTcpRequester } from "./tcp";

/** Redis client. Commands of `batched` in the same event-loop tick share one round trip. */
export class RedisClient extends Redis {
  readonly batched = this.autoPipeline();
}

let shared: RedisClient | undefined;

/** Returns the Redis client that all code of this process shares. */
export function getRedis(): RedisClient {
  return (shared ??= createRedis(getEnv().redis));
}

/** Creates a client for the configured transport, TCP or REST. Both behave the same (docs/decisions/0005-redis.md). */
export function createRedis(settings: Env["redis"]): RedisClient {
  const requester =
    settings.kind === "tcp" ? createTcpRequester(settings.url, settings) : createRestRequester(settings);
  return new RedisClient(withMetrics(requester));
}

/**
 * Runs a Redis operation with one deadline. Rethrows an AppError. Any other error becomes
 * `service_unavailable` (503) with only Redis's error code, because error messages contain keys and values.
 */
export async function withRedis<T>(operation: string, work: () => Promise<T>): Promise<T> {
  try {
    return await withTimeout(redisDeadlineMs, () => timeoutError(`Redis: ${operation}`), work);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError("service_unavailable", {
      retryAfterSeconds,
      cause: new LoggableError(`Redis: ${operation} failed (${errorCode(error)})`),
    });
  }
}

/** Finds Redis's error code in a message. For pipelines, the client library puts text before the code. */
function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  return /(?:^|failed: )([A-Z]{3,})\b/.exec(error.message)?.[1] ?? error.name;
}
