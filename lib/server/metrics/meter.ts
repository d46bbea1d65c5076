import "server-only";
import type { ErrorCode } from "@/lib/http/errors";

/** Names of all API routes. The log and the metrics record these names instead of request paths. */
export const routeNames = [
  ...["verify", "challenge", "sitekey", "post-details", "status", "like", "receipt", "daily-usage"],
  ...["contact", "feedback", "issue", "404", "share", "health", "metrics", "reconcile"],
] as const;

export type RouteName = (typeof routeNames)[number];

/** Error code of an API response, or the status class (such as "2xx") if the response has no error code. */
export type RequestOutcome = ErrorCode | `${2 | 3 | 4 | 5}xx`;

/** Outcomes of everything else that the meter counts. */
export const outcomes = {
  /** "pending" can still change. "refused" no longer counts towards the daily limit. */
  order: ["accepted", "refused", "pending", "abandoned"],
  delivery: ["accepted", "refused", "unknown"],
  lookup: ["public", "private", "missing", "unavailable"],
  /** "skipped": the provider failed, and the server accepted the token. */
  captcha: ["passed", "rejected", "unavailable", "skipped"],
  /** "refused": Redis replied with an error. "lost": no reply arrived. */
  redis: ["answered", "refused", "lost"],
} as const;

export type Outcome<Kind extends keyof typeof outcomes> = (typeof outcomes)[Kind][number];

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
  countOrders(outcome: Outcome<"order">, number: number): void;
  countDelivery(outcome: Outcome<"delivery">, seconds: number): void;
  countLookup(provider: string, outcome: Outcome<"lookup">): void;
  countCaptcha(provider: string, outcome: Outcome<"captcha">): void;
  countRedis(outcome: Outcome<"redis">, seconds: number): void;
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
