import "server-only";
import type { ErrorCode } from "@/lib/http/errors";
import type { RouteName } from "./route-names";

/** Error code of an API response, or the status class (such as "2xx") if the response has no error code. */
export type RequestOutcome = ErrorCode | `${2 | 3 | 4 | 5}xx`;

/** Outcome of an order. "pending" can still change. "refused" no longer counts towards the daily limit. */
type OrderOutcome = "accepted" | "refused" | "pending" | "abandoned";

/** Outcome of a Redis request. "refused": Redis replied with an error. "lost": no reply arrived. */
export type RedisOutcome = "answered" | "refused" | "lost";

/** Outcome of a captcha check. "skipped": the provider failed, and the server accepted the token. */
type CaptchaOutcome = "passed" | "rejected" | "unavailable" | "skipped";

/** Values from `readHealthSnapshot()` that the Prometheus gauges show. */
export interface HealthSnapshot {
  redis: { saved: boolean | null; evictionPolicy: string | null; replicationLagSeconds: number | null };
  orders: { open: number; oldestAgeSeconds: number | null };
  budget: { likesLeft: number; totalLimit: number };
  inbox: { unmailed: number };
}

/** Metrics of this process. Label values come from fixed lists, never from visitors' input. */
export interface Meter {
  countRequest(route: RouteName, outcome: RequestOutcome, seconds: number): void;
  countOrders(outcome: OrderOutcome, number: number): void;
  countDelivery(outcome: "accepted" | "refused" | "unknown", seconds: number): void;
  countLookup(provider: string, outcome: "public" | "private" | "missing" | "unavailable"): void;
  countCaptcha(provider: string, outcome: CaptchaOutcome): void;
  countRedis(outcome: RedisOutcome, seconds: number): void;
  countLogLine(event: string): void;
  readonly contentType: string;
  /** Returns all metrics as Prometheus text. Without a snapshot, omits the values that Redis stores. */
  read(snapshot: HealthSnapshot | null): Promise<string>;
}

declare global {
  var boost50Meter: Meter | undefined;
}

/**
 * Returns the meter of this process, or undefined if metrics are off. The meter is a global variable,
 * because Next.js bundles routes and start-up code separately. A module variable would therefore exist twice.
 */
export function getMeter(): Meter | undefined {
  return globalThis.boost50Meter;
}

/** Sets the meter of this process, which turns metrics on. */
export function setMeter(meter: Meter): void {
  globalThis.boost50Meter = meter;
}
