import "server-only";
import type { ErrorCode } from "@/lib/http/errors";
import type { RouteName } from "@/lib/server/http/route-names";

/** Error code of an API response, or the status class of a response without one. */
export type RequestOutcome = ErrorCode | `${2 | 3 | 4 | 5}xx`;

/** Outcome of an order. "pending" is not final; "refused" returns the likes. */
type OrderOutcome = "accepted" | "refused" | "pending" | "abandoned";

/** "refused" is an error reply of Redis, "lost" is a missing reply. */
export type RedisOutcome = "answered" | "refused" | "lost";

/** "passed" includes used tokens; "skipped" let a visitor through because the provider failed. */
type CaptchaOutcome = "passed" | "rejected" | "unavailable" | "skipped";

/** The part of `readHealthSnapshot()` that becomes Prometheus gauges. */
export interface HealthSnapshot {
  redis: { saved: boolean | null; replicationLagSeconds: number | null };
  orders: { open: number; oldestAgeSeconds: number | null };
  budget: { likesLeft: number; totalLimit: number };
  inbox: { unmailed: number };
}

/** Metrics of this process. Labels come from closed lists, never from visitors. Times are in seconds. */
export interface Meter {
  countRequest(route: RouteName, outcome: RequestOutcome, seconds: number): void;
  countOrders(outcome: OrderOutcome, number: number): void;
  countDelivery(outcome: "accepted" | "refused" | "unknown", seconds: number): void;
  countLookup(provider: string, outcome: "public" | "private" | "missing" | "unavailable"): void;
  countCaptcha(provider: string, outcome: CaptchaOutcome): void;
  countRedis(outcome: RedisOutcome, seconds: number): void;
  countLogLine(event: string): void;
  readonly contentType: string;
  /** Returns all metrics as Prometheus text; without a snapshot, the Redis metrics are omitted. */
  read(snapshot: HealthSnapshot | null): Promise<string>;
}

declare global {
  var boost50Meter: Meter | undefined;
}

/**
 * Returns the meter of this process, or undefined when metrics are off. Next bundles routes and start-up
 * separately, so a module variable would exist twice; the global object holds the meter instead.
 */
export function getMeter(): Meter | undefined {
  return globalThis.boost50Meter;
}

/** Turns on metrics for the whole process. */
export function setMeter(meter: Meter): void {
  globalThis.boost50Meter = meter;
}
