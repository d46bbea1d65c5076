import "server-only";
import { Redis } from "@upstash/redis";
import { AppError } from "@/lib/http/errors";
import { withTimeout, retryAfterSeconds } from "@/lib/server/async/with-timeout";
import { getEnv, type Env } from "@/lib/server/config/env";
import { LoggableError } from "@/lib/server/ops/log";
import { redisDeadlineMs } from "./reply";
import { withMetrics } from "./with-metrics";
import { createRestRequester } from "./rest";
import { createTcpRequester } from "./tcp";

let shared: Redis | undefined;

/** The one Redis client of this process. */
export function getRedis(): Redis {
  return (shared ??= createRedis(getEnv().redis));
}

/**
 * A client for either transport: Upstash's REST API, or TCP to any Redis or Valkey, alone, by sentinels or a cluster. What uses it cannot tell which.
 */
export function createRedis(settings: Env["redis"]): Redis {
  return new Redis(
    withMetrics(
      settings.kind === "tcp" ? createTcpRequester(settings.url, settings) : createRestRequester(settings),
    ),
  );
}

/**
 * The same client, for commands that share one request with all others of the same tick. Not for everything: one slow
 * command delays its neighbours. (The library does so for every command, or, given a requester, for none.)
 */
export function batched(redis: Redis): Redis {
  return (redis as unknown as { autoPipeline(): Redis }).autoPipeline();
}

/**
 * Runs a piece of work on Redis within one deadline, however many requests it makes (a script that Redis has
 * forgotten takes two), and turns every failure of it into `service_unavailable` (503 with Retry-After): the
 * product fails closed. The cause keeps the name of the operation and Redis's error code, never a message, because
 * messages of the client hold keys and values.
 */
export async function onRedis<T>(operation: string, work: () => Promise<T>): Promise<T> {
  try {
    return await withTimeout(`Redis: ${operation}`, redisDeadlineMs, work);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError("service_unavailable", {
      retryAfterSeconds,
      cause: new LoggableError(`Redis: ${operation} failed (${errorCode(error)})`),
    });
  }
}

/** Redis's code also where the client library has put words of its own before it, as it does for pipelines. */
function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  return /(?:^|failed: )([A-Z]{3,})\b/.exec(error.message)?.[1] ?? error.name;
}
