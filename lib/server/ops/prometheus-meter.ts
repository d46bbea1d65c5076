import "server-only";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import type { Env } from "@/lib/server/config/env";
import type { LogEvent } from "./log";
import { routeNames } from "@/lib/server/http/route-names";
import type { Meter, RequestOutcome, HealthSnapshot } from "./meter";

/** In seconds. Answers are promised within 2 s, those of a delivery service within a minute. */
const requestBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60];
/** Up to the deadline of a question to Redis. */
const redisBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 1.5];

/**
 * What an alert waits for stands there as 0 from the start: Prometheus sees no increase in a series that begins with 1
 * (deploy/prometheus-rules.yml).
 */
const awaitedOutcomes: RequestOutcome[] = ["2xx", "internal", "service_unavailable"];
const awaitedLines: LogEvent[] = ["page failed"];

/**
 * A meter that Prometheus reads, with what Node tells of its process. The numbers are this process's own, beside what
 * only Redis knows, which is asked for at each reading.
 */
export function createPrometheusMeter({ captcha, postLookup, ledger }: Env): Meter {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: "boost50_build_info",
    help: "Which build runs; always 1",
    labelNames: ["build"],
    registers: [registry],
  }).set({ build: readBuildId() }, 1);
  const counters = createCounters(registry);
  beginAtZero(counters, captcha.provider, postLookup.kind);
  const redisUp = new Gauge({
    name: "boost50_redis_up",
    help: "Whether Redis took a write at this reading; without it the gauges below are left out",
    registers: [registry],
  });
  const standings = createStandings(ledger.dailyLikeLimit);

  return {
    countRequest(route, outcome, seconds) {
      counters.requests.inc({ route, outcome });
      counters.requestSeconds.observe({ route }, seconds);
    },
    countOrders: (outcome, number) => counters.orders.inc({ outcome }, number),
    countDelivery: (outcome, seconds) => counters.deliverySeconds.observe({ outcome }, seconds),
    countLookup: (provider, outcome) => counters.lookups.inc({ provider, outcome }),
    countCaptcha: (provider, outcome) => counters.captchaChecks.inc({ provider, outcome }),
    countRedis: (outcome, seconds) => counters.redisSeconds.observe({ outcome }, seconds),
    countLine: (event) => counters.logLines.inc({ event }),
    contentType: registry.contentType,
    async read(standing) {
      redisUp.set(standing ? 1 : 0);
      const own = await registry.metrics();
      return standing ? `${own}\n${await standings.read(standing)}` : own;
    },
  };
}

function createCounters(registry: Registry) {
  const registers = [registry];
  return {
    requests: new Counter({
      name: "boost50_requests_total",
      help: "Answers of the API: the failure's code, or the class of the status",
      labelNames: ["route", "outcome"],
      registers,
    }),
    requestSeconds: new Histogram({
      name: "boost50_request_seconds",
      help: "How long answers of the API took",
      labelNames: ["route"],
      buckets: requestBuckets,
      registers,
    }),
    orders: new Counter({
      name: "boost50_orders_total",
      help: "Orders by what became of them; a pending one comes to another outcome later, a refused one is given back",
      labelNames: ["outcome"],
      registers,
    }),
    deliverySeconds: new Histogram({
      name: "boost50_delivery_seconds",
      help: "Tries at an order: how the delivery service answered, and how long it took",
      labelNames: ["outcome"],
      buckets: requestBuckets,
      registers,
    }),
    lookups: new Counter({
      name: "boost50_lookups_total",
      help: "Lookups of posts",
      labelNames: ["provider", "outcome"],
      registers,
    }),
    captchaChecks: new Counter({
      name: "boost50_captcha_checks_total",
      help: "Human checks; skipped are those that got through because the provider could not be asked",
      labelNames: ["provider", "outcome"],
      registers,
    }),
    redisSeconds: new Histogram({
      name: "boost50_redis_request_seconds",
      help: "Round trips to Redis: answered, refused with an error, or lost without an answer",
      labelNames: ["outcome"],
      buckets: redisBuckets,
      registers,
    }),
    logLines: new Counter({
      name: "boost50_log_lines_total",
      help: "Lines of the log by event",
      labelNames: ["event"],
      registers,
    }),
  };
}

function beginAtZero(counters: ReturnType<typeof createCounters>, captcha: string, lookup: string): void {
  for (const route of routeNames) {
    for (const outcome of awaitedOutcomes) counters.requests.inc({ route, outcome }, 0);
    counters.requestSeconds.zero({ route });
  }
  counters.requests.inc({ route: "post-details", outcome: "lookup_unavailable" }, 0);
  for (const event of awaitedLines) counters.logLines.inc({ event }, 0);
  for (const outcome of ["accepted", "refused", "pending", "abandoned"]) counters.orders.inc({ outcome }, 0);
  for (const outcome of ["accepted", "refused", "unknown"]) counters.deliverySeconds.zero({ outcome });
  for (const outcome of ["answered", "refused", "lost"]) counters.redisSeconds.zero({ outcome });
  for (const outcome of ["public", "private", "missing", "unavailable"])
    counters.lookups.inc({ provider: lookup, outcome }, 0);
  for (const outcome of ["passed", "rejected", "unavailable", "skipped"])
    counters.captchaChecks.inc({ provider: captcha, outcome }, 0);
}

/** What Redis knows, in a registry of its own: without Redis nothing of it is told, where an old value would mislead. */
function createStandings(configuredLimit: number) {
  const registry = new Registry();
  const gauge = (name: string, help: string) =>
    new Gauge({ name: `boost50_${name}`, help, registers: [registry] });
  const likesLeft = gauge("budget_likes_left", "Likes left of today's budget");
  const limit = gauge("budget_likes_limit", "Today's limit in likes");
  gauge("budget_likes_configured", "DAILY_LIKE_LIMIT, which today's limit is unless it was changed").set(
    configuredLimit,
  );
  const open = gauge(
    "open_orders",
    "Orders without a final outcome, those being delivered right now among them",
  );
  const oldest = gauge("oldest_open_order_seconds", "Age of the oldest of them; 0 without any");
  const unmailed = gauge("unmailed_messages", "Messages of the forms that wait to be mailed");
  const saved = gauge("redis_saved", "Whether Redis could write its file; left out where it does not say");
  const lag = gauge(
    "redis_replication_lag_seconds",
    "Since when the replica furthest behind was not heard of",
  );

  return {
    read({ redis, orders, budget, inbox }: HealthSnapshot): Promise<string> {
      likesLeft.set(budget.likesLeft);
      limit.set(budget.totalLimit);
      open.set(orders.open);
      oldest.set(orders.oldestAgeSeconds ?? 0);
      unmailed.set(inbox.unmailed);
      setWhereKnown(saved, redis.saved === null ? null : Number(redis.saved));
      setWhereKnown(lag, redis.replicationLagSeconds);
      return registry.metrics();
    },
  };
}

function setWhereKnown(gauge: Gauge, value: number | null): void {
  if (value === null) gauge.remove();
  else gauge.set(value);
}

/** The framework's name for what it built, by which releases are told apart as well. */
function readBuildId(): string {
  try {
    return readFileSync(join(process.cwd(), ".next", "BUILD_ID"), "utf8").trim();
  } catch {
    return "none";
  }
}
