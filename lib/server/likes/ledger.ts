import "server-only";
import { randomBytes } from "node:crypto";
import type { Redis } from "@upstash/redis";
import type { PostType } from "@/lib/http/api-responses";
import { AppError } from "@/lib/http/errors";
import { limits } from "@/lib/config/limits";
import type { VisitorIdentity } from "@/lib/server/identity/visitor-identity";
import { withTimeout, retryAfterSeconds } from "@/lib/server/async/with-timeout";
import { LoggableError } from "@/lib/server/ops/log";
import { getMeter } from "@/lib/server/ops/meter";
import { coalesce } from "@/lib/server/async/coalesce";
import { redisDeadlineMs } from "@/lib/server/redis/reply";
import { ledgerReplies, type Order, type ReserveResult, type VisitorStatus } from "./ledger-replies";
import { ledgerScripts } from "./ledger-scripts";
import { networkCap } from "@/lib/config/network-caps";
import { networkUsage } from "./network-usage";
import { orderId } from "./order-id";
import { createScriptRunner } from "./script-runner";

/** A refused order gives its captcha check back; after this many a new one is needed. */
const ordersPerFlow = 3;
/** Idempotency-Keys that are remembered of one visitor: a browser makes one for each attempt to order. */
const requestsPerVisitor = 20;

export interface LedgerPolicy {
  dailyLikeLimit: number;
  cooldownSeconds: number;
  maxRequestsPerDay: number;
  /** Of which the caps of wider networks follow: see network-caps.ts. */
  maxRequestsPerAddressPerDay: number;
  burst: { requests: number; windowSeconds: number };
  /** Longer than a delivery can take, so that two tries never overlap. */
  leaseMs: number;
}

export interface ReserveRequest {
  visitor: VisitorIdentity;
  /** The captcha check's flow: one flow, one order. */
  flowId: string;
  postId: string;
  postType: PostType;
  /** Hash of the visitor's Idempotency-Key, or null. */
  requestKey: string | null;
  /** What the request asked for, to tell a repetition from another request under the same key. */
  bodyHash: string;
}

export type Ledger = ReturnType<typeof createLedger>;

/**
 * The ledger of orders: the only place that decides cooldown, caps and budget, each verb one atomic script (see
 * ledger-scripts.ts). Every verb rejects with `service_unavailable` when Redis does not answer in time.
 */
export function createLedger(redis: Redis, policy: LedgerPolicy) {
  const runScript = createScriptRunner(redis, "ledger", ledgerScripts, ledgerReplies);
  /** Redis's clock minus this process's monotonic clock, learned from every reply. */
  let clockOffset: number | null = null;

  async function run<Verb extends keyof typeof ledgerReplies>(verb: Verb, args: object) {
    const reply = await runScript(verb, args);
    clockOffset = reply.now - performance.now();
    if ("abandoned" in reply) getMeter()?.countOrders("abandoned", reply.abandoned);
    return reply;
  }

  /** All within one deadline, after which the script charges nothing. */
  async function reserveInTime(args: object) {
    const deadline = performance.now() + redisDeadlineMs;
    const attempt = () => run("reserve", { ...args, notAfter: deadline + (clockOffset ?? 0) });
    return withTimeout("Redis: all of reserve", redisDeadlineMs, async () => {
      if (clockOffset === null) await dailyUsage();
      const reply = await attempt();
      // A process that slept has an old idea of Redis's time; the reply has just corrected it.
      return reply.kind === "late" ? attempt() : reply;
    });
  }

  /**
   * Reserves 50 likes for a visitor, or finds the order that this request or this visitor already has.
   * Charges nothing unless it answers with an order.
   */
  async function reserve(request: ReserveRequest): Promise<ReserveResult> {
    const reply = await reserveInTime({
      ...identityArgs(request.visitor, policy),
      ...policyArgs(policy),
      orderIds: Array.from({ length: ordersPerFlow }, (_, n) => orderId(request.flowId, n)),
      attempt: randomId(),
      flow: request.flowId,
      postId: request.postId,
      postType: request.postType,
      likes: limits.likesPerRequest,
      request: request.requestKey ?? undefined,
      mostRequests: requestsPerVisitor,
      bodyHash: request.bodyHash,
      leaseMs: policy.leaseMs,
    });
    if (reply.kind !== "late") return reply;
    throw new AppError("service_unavailable", {
      retryAfterSeconds,
      cause: new LoggableError("Redis: reserve ran late"),
    });
  }

  /**
   * Leases the next open order for another try, oldest first; null when none is due. `upTo` (the `now` of the run's
   * first claim) keeps one run from taking an order twice.
   */
  async function claim(upTo?: number) {
    return run("claim", { attempt: randomId(), leaseMs: policy.leaseMs, upTo });
  }

  /** Records that the delivery provider accepted the order, and starts the cooldown. Returns the order as it stands. */
  async function settle({ id, visitor }: Order, providerReference?: string): Promise<Order> {
    const cooldownMs = policy.cooldownSeconds * 1_000;
    return (await run("settle", { orderId: id, visitor, providerReference, cooldownMs })).order;
  }

  /** Records that the provider refused the order, and gives budget, visitor and captcha check back. */
  async function release({ id, attempt }: Order, message: string): Promise<Order> {
    return (await run("release", { orderId: id, attempt, message })).order;
  }

  /** Records that the outcome is unknown: the order stays reserved and open for the next try. */
  async function defer({ id, attempt }: Order): Promise<Order> {
    return (await run("defer", { orderId: id, attempt })).order;
  }

  /** What stands between a visitor and the next request, by Redis's clock. */
  async function status(visitor: VisitorIdentity): Promise<VisitorStatus> {
    return run("status", { ...identityArgs(visitor, policy), ...policyArgs(policy) });
  }

  /** The likes charged on this GMT day, reservations included, its limit, and when the next day begins. */
  const dailyUsage = coalesce(() => run("dailyUsage", { dailyLikeLimit: policy.dailyLikeLimit }));

  /** How much of its cap the fullest of a visitor's networks has used; see network-use.ts. */
  async function use(visitor: VisitorIdentity): Promise<number> {
    return networkUsage(redis, visitor, policy);
  }

  return { reserve, claim, settle, release, defer, status, dailyUsage, use };
}

function identityArgs(
  { visitorHashes, addressHashes, networks, cookieId }: VisitorIdentity,
  policy: LedgerPolicy,
) {
  return {
    visitors: visitorHashes,
    addresses: addressHashes,
    networks: networks.map(({ kind, hashes }) => ({ hashes, cap: networkCap(kind, policy) })),
    cookie: cookieId ?? undefined,
  };
}

function policyArgs(policy: LedgerPolicy) {
  const { dailyLikeLimit, maxRequestsPerDay, maxRequestsPerAddressPerDay, burst } = policy;
  return {
    dailyLikeLimit,
    maxRequestsPerDay,
    maxRequestsPerAddressPerDay,
    burst: { requests: burst.requests, windowMs: burst.windowSeconds * 1_000 },
  };
}

function randomId(): string {
  return randomBytes(16).toString("base64url");
}
