import "server-only";
import { Redis, type Requester } from "@upstash/redis";
import { AppError } from "@/lib/http/errors";
import { retryAfterSeconds, timeoutError, withTimeout } from "@/lib/server/async/with-timeout";
import { getEnv, type Env } from "@/lib/server/config/env";
import { LoggableError } from "@/lib/server/log/log";
import { getMeter, type Outcome } from "@/lib/server/metrics/meter";
import { redisDeadlineMs, type Reply } from "./reply";
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
    const cause = new LoggableError(`Redis: ${operation} failed (${errorCode(error)})`);
    throw new AppError("service_unavailable", { retryAfterSeconds, cause });
  }
}

/** Finds Redis's error code in a message. For pipelines, the client library puts text before the code. */
function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  return /(?:^|failed: )([A-Z]{3,})\b/.exec(error.message)?.[1] ?? error.name;
}

/**
 * Returns a requester that passes each request to the given requester. If metrics are enabled, the returned
 * requester counts the requests and measures their duration.
 */
export function withMetrics(requester: Requester): Requester {
  const request: Requester["request"] = async (upstashRequest) => {
    const meter = getMeter();
    if (!meter) return requester.request(upstashRequest);
    const startedAt = performance.now();
    const measure = (outcome: Outcome<"redis">) =>
      meter.countRedis(outcome, (performance.now() - startedAt) / 1_000);
    try {
      const reply = await requester.request<never>(upstashRequest);
      measure(outcomeOf(reply));
      return reply;
    } catch (error) {
      // If Redis replies with an error, the requester in rest.ts throws an error. Its message is the error code.
      measure(error instanceof Error ? outcomeOf({ error: error.message }) : "lost");
      throw error;
    }
  };
  return { ...requester, request };
}

/** Returns the outcome to count. NOSCRIPT is not a failure, because the client then sends the whole script. */
function outcomeOf(reply: Reply | Reply[]): Outcome<"redis"> {
  const errors = [reply].flat().flatMap(({ error }) => (error ? [error] : []));
  if (errors.every((error) => error.startsWith("NOSCRIPT"))) return "answered";
  return errors.some((error) => /^[A-Z]{3,}\b/.test(error)) ? "refused" : "lost";
}
