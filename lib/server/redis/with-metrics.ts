import "server-only";
import type { Requester } from "@upstash/redis";
import { getMeter, type RedisOutcome } from "@/lib/server/metrics/meter";
import type { Reply } from "./reply";

/**
 * Returns a requester that passes each request to the given requester. If metrics are enabled, the returned
 * requester counts the requests and measures their duration.
 */
export function withMetrics(requester: Requester): Requester {
  const request: Requester["request"] = async (upstashRequest) => {
    const meter = getMeter();
    if (!meter) return requester.request(upstashRequest);
    const startedAt = performance.now();
    const measure = (outcome: RedisOutcome) =>
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
function outcomeOf(reply: Reply | Reply[]): RedisOutcome {
  const errors = [reply].flat().flatMap(({ error }) => (error ? [error] : []));
  if (errors.every((error) => error.startsWith("NOSCRIPT"))) return "answered";
  return errors.some((error) => /^[A-Z]{3,}\b/.test(error)) ? "refused" : "lost";
}
