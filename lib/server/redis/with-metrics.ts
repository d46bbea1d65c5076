import "server-only";
import type { Requester } from "@upstash/redis";
import { getMeter, type RedisOutcome } from "@/lib/server/ops/meter";
import type { Reply } from "./reply";

/** Counts and times what is asked of a requester, where this process counts at all. */
export function withMetrics(requester: Requester): Requester {
  const request: Requester["request"] = async (asked) => {
    const meter = getMeter();
    if (!meter) return requester.request(asked);
    const startedAt = performance.now();
    const measure = (outcome: RedisOutcome) =>
      meter.countRedis(outcome, (performance.now() - startedAt) / 1_000);
    try {
      const answer = await requester.request<never>(asked);
      measure(outcomeOf(answer));
      return answer;
    } catch (error) {
      // A refusal over REST is thrown as its code; see rest.ts.
      measure(error instanceof Error ? outcomeOf({ error: error.message }) : "lost");
      throw error;
    }
  };
  return { ...requester, request };
}

/** A script that Redis has forgotten, and gets again at once, is nothing that failed. */
function outcomeOf(answer: Reply | Reply[]): RedisOutcome {
  const errors = [answer].flat().flatMap(({ error }) => (error ? [error] : []));
  if (errors.every((error) => error.startsWith("NOSCRIPT"))) return "answered";
  return errors.some((error) => /^[A-Z]{3,}\b/.test(error)) ? "refused" : "lost";
}
