import "server-only";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import type { Env } from "@/lib/server/config/env";
import { outcomes, routeNames, type HealthSnapshot, type Meter, type RequestOutcome } from "./meter";

/** Histogram buckets in seconds. An API request takes up to 2 s, with a lookup 11 s, with a delivery 60 s. */
const requestBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60];
const redisBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 1.5];

/** Outcomes that alert rules use. The counters start at 0, so that Prometheus sees the first increase. */
const alertOutcomes: RequestOutcome[] = ["2xx", "internal", "service_unavailable"];

/** Creates the Prometheus meter of this process. See docs/decisions/0019-metrics.md. */
export function createPrometheusMeter({ captcha, postLookup, ledger }: Env): Meter {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: "boost50_build_info",
    help: "Build id of the running server; always 1",
    labelNames: ["build"],
    registers: [registry],
  }).set({ build: readBuildId() }, 1);
  const counters = createCounters(registry);
  startAtZero(counters, captcha.provider, postLookup.kind);
  const redisUp = new Gauge({
    name: "boost50_redis_up",
    help: "Whether Redis accepted a write at this scrape; at 0 the gauges below are missing",
    registers: [registry],
  });
  const readRedisGauges = createRedisGauges(ledger.dailyLikeLimit);

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
    countLogLine: (event) => counters.logLines.inc({ event }),
    contentType: registry.contentType,
    async read(snapshot) {
      redisUp.set(snapshot ? 1 : 0);
      const processMetrics = await registry.metrics();
      return snapshot ? `${processMetrics}\n${await readRedisGauges(snapshot)}` : processMetrics;
    },
  };
}

function createCounters(registry: Registry) {
  const registers = [registry];
  const counter = <Label extends string>(name: string, labelNames: Label[], help: string) =>
    new Counter({ name: `boost50_${name}`, labelNames, help, registers });
  const histogram = <Label extends string>(name: string, label: Label, buckets: number[], help: string) =>
    new Histogram({ name: `boost50_${name}`, labelNames: [label], buckets, help, registers });
  return {
    requests: counter(
      "requests_total",
      ["route", "outcome"],
      "API responses by error code, or by status class without one",
    ),
    requestSeconds: histogram("request_seconds", "route", requestBuckets, "Duration of API requests"),
    orders: counter(
      "orders_total",
      ["outcome"],
      "Orders by outcome; a pending order gets another outcome later, a refused order returns its likes",
    ),
    deliverySeconds: histogram(
      "delivery_seconds",
      "outcome",
      requestBuckets,
      "Duration of delivery attempts by the outcome of the delivery service",
    ),
    lookups: counter("lookups_total", ["provider", "outcome"], "Post lookups by result"),
    captchaChecks: counter(
      "captcha_checks_total",
      ["provider", "outcome"],
      "Captcha checks; skipped means that the provider was unavailable and the visitor got through",
    ),
    redisSeconds: histogram(
      "redis_request_seconds",
      "outcome",
      redisBuckets,
      "Round trips to Redis: answered, refused with an error, or lost without a reply",
    ),
    logLines: counter("log_lines_total", ["event"], "Log lines by event"),
  };
}

function startAtZero(counters: ReturnType<typeof createCounters>, captcha: string, lookup: string): void {
  for (const route of routeNames) {
    for (const outcome of alertOutcomes) counters.requests.inc({ route, outcome }, 0);
    counters.requestSeconds.zero({ route });
  }
  counters.requests.inc({ route: "post-details", outcome: "lookup_unavailable" }, 0);
  counters.logLines.inc({ event: "page failed" }, 0);
  for (const outcome of outcomes.order) counters.orders.inc({ outcome }, 0);
  for (const outcome of outcomes.delivery) counters.deliverySeconds.zero({ outcome });
  for (const outcome of outcomes.redis) counters.redisSeconds.zero({ outcome });
  for (const outcome of outcomes.lookup) counters.lookups.inc({ provider: lookup, outcome }, 0);
  for (const outcome of outcomes.captcha) counters.captchaChecks.inc({ provider: captcha, outcome }, 0);
}

/** Creates a separate registry for Redis data, so that the meter can omit these gauges if Redis fails. */
function createRedisGauges(configuredLimit: number) {
  const registry = new Registry();
  const gauge = (name: string, help: string) =>
    new Gauge({ name: `boost50_${name}`, help, registers: [registry] });
  const likesLeft = gauge("budget_likes_left", "Likes left of today's budget");
  const limit = gauge("budget_likes_limit", "Today's limit in likes");
  gauge("budget_likes_configured", "DAILY_LIKE_LIMIT; today's limit unless an operator changed it").set(
    configuredLimit,
  );
  const open = gauge("open_orders", "Orders without a final outcome, including the orders in delivery");
  const oldest = gauge("oldest_open_order_seconds", "Age of the oldest open order; 0 without open orders");
  const unmailed = gauge("unmailed_messages", "Form messages that wait to be mailed");
  const saved = gauge(
    "redis_saved",
    "Whether Redis could write its data file and evicts no keys; missing when Redis does not say",
  );
  const lag = gauge(
    "redis_replication_lag_seconds",
    "Longest time since the last acknowledgement from a replica",
  );

  return ({ redis, orders, budget, inbox }: HealthSnapshot): Promise<string> => {
    likesLeft.set(budget.likesLeft);
    limit.set(budget.totalLimit);
    open.set(orders.open);
    oldest.set(orders.oldestAgeSeconds ?? 0);
    unmailed.set(inbox.unmailed);
    const keepsKeys = redis.evictionPolicy === null || redis.evictionPolicy === "noeviction";
    setOrRemove(saved, redis.saved === null ? null : Number(redis.saved && keepsKeys));
    setOrRemove(lag, redis.replicationLagSeconds);
    return registry.metrics();
  };
}

function setOrRemove(gauge: Gauge, value: number | null): void {
  if (value === null) gauge.remove();
  else gauge.set(value);
}

function readBuildId(): string {
  try {
    return readFileSync(join(process.cwd(), ".next", "BUILD_ID"), "utf8").trim();
  } catch {
    return "none";
  }
}
