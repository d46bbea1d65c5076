import "server-only";
import type { ErrorCode } from "@/lib/http/errors";
import type { RouteName } from "@/lib/server/http/route-names";

/** How a request was answered: the failure's code, or the class of a status without one. */
export type RequestOutcome = ErrorCode | `${2 | 3 | 4 | 5}xx`;

/** Reserved orders come to one of these; what is pending comes to another one later. Refused ones are given back. */
export type OrderOutcome = "accepted" | "refused" | "pending" | "abandoned";

/** "refused" is an error that Redis answered with; "lost" is no answer. */
export type RedisOutcome = "answered" | "refused" | "lost";

/**
 * "passed": the token is genuine; that it was used before is the request's own failure. "skipped": the provider could not
 * be asked, and the visitor got through.
 */
export type CaptchaOutcome = "passed" | "rejected" | "unavailable" | "skipped";

/** Of standing.ts, what is told to Prometheus. */
export interface HealthSnapshot {
  redis: { saved: boolean | null; replicationLagSeconds: number | null };
  orders: { open: number; oldestAgeSeconds: number | null };
  budget: { likesLeft: number; totalLimit: number };
  inbox: { unmailed: number };
}

/**
 * What happens in this process, in numbers. Whatever is given to it becomes a label of a metric: names of ours from
 * closed lists, and nothing of a visitor's. Durations are in seconds.
 */
export interface Meter {
  countRequest(route: RouteName, outcome: RequestOutcome, seconds: number): void;
  countOrders(outcome: OrderOutcome, number: number): void;
  countDelivery(outcome: "accepted" | "refused" | "unknown", seconds: number): void;
  countLookup(provider: string, outcome: "public" | "private" | "missing" | "unavailable"): void;
  countCaptcha(provider: string, outcome: CaptchaOutcome): void;
  countRedis(outcome: RedisOutcome, seconds: number): void;
  /** A line of the log, by its event. */
  countLine(event: string): void;
  /** The type of what `read` returns. */
  readonly contentType: string;
  /** Everything as text for Prometheus; without a standing what Redis would have told is left out. */
  read(standing: HealthSnapshot | null): Promise<string>;
}

declare global {
  var boost50Meter: Meter | undefined;
}

/**
 * The one meter of this process; undefined where nobody asked for metrics. It hangs on the global object, because the
 * framework bundles routes and start-up apart, and a module in both would be two.
 */
export function getMeter(): Meter | undefined {
  return globalThis.boost50Meter;
}

/** Begins to count, in everything that runs in this process. */
export function setMeter(meter: Meter): void {
  globalThis.boost50Meter = meter;
}
