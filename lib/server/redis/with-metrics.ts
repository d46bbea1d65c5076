import "server-only";
import type { Requester } from "@upstash/redis";
import { getMeter, type RedisOutcome } from "@/lib/server/ops/meter";
import type { Reply } from "./reply";

/** Wraps a requester to count and time its requests, when metrics are enabled in this process. */
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
      // rest.ts throws Redis errors, with the error code as the message.
      measure(error instanceof Error ? outcomeOf({ error: error.message }) : "lost");
      throw error;
    }
  };
  return { ...requester, request };
}

/** NOSCRIPT is no failure, because the client sends the script again at once. */
function outcomeOf(reply: Reply | Reply[]): RedisOutcome {
  const errors = [reply].flat().flatMap(({ error }) => (error ? [error] : []));
  if (errors.every((error) => error.startsWith("NOSCRIPT"))) return "answered";
  return errors.some((error) => /^[A-Z]{3,}\b/.test(error)) ? "refused" : "lost";
}
