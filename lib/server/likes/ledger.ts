import "server-only";
import { randomBytes } from "node:crypto";
import type { Redis } from "@upstash/redis";
import type { PostType } from "@/lib/schemas/api-responses";
import { AppError } from "@/lib/http/errors";
import { limits, pacing } from "@/lib/config/limits";
import type { VisitorIdentity } from "@/lib/server/identity/identify-visitor";
import { retryAfterSeconds, timeoutError, withTimeout } from "@/lib/server/async/with-timeout";
import type { Env } from "@/lib/server/config/env";
import { LoggableError } from "@/lib/server/log/log";
import { getMeter } from "@/lib/server/metrics/meter";
import { redisDeadlineMs } from "@/lib/server/redis/reply";
import type { ledgerReplies, Order, ReserveResult, Usage, VisitorStatus } from "./ledger-replies";
import { ledgerScripts } from "./ledger-scripts";
import { networkCap } from "@/lib/config/network-caps";
import { deriveOrderId } from "@/lib/server/cookies/order-id";
import { createScriptRunner } from "./script-runner";

/** Maximum orders per captcha check. Another order is possible only after a refused or abandoned one. */
const ordersPerFlow = 3;
/** Maximum number of Idempotency-Keys stored for one visitor. The ledger removes the oldest keys first. */
const maxRequestKeys = 20;

/** `pacing`: see docs/decisions/0008-paced-day.md. network-caps.ts computes the caps of larger networks than an address. */
export interface LedgerPolicy extends Omit<Env["ledger"], "maxRequestsPerDay"> {
  maxRequestsPerDay: number;
  rateLimit: { requests: number; windowSeconds: number };
  /**
   * Duration of a lease, in milliseconds. While a delivery attempt has a lease on an order, no other attempt
   * sends the order. A lease must therefore last longer than a delivery.
   */
  leaseMs: number;
  /** Whether orders are sent. A demo neither sends nor accepts the orders of a live site that uses the same Redis. */
  live: boolean;
}

export interface ReserveRequest {
  visitor: VisitorIdentity;
  /** Id of the flow. A passed captcha check starts a flow, and each flow allows one accepted order. */
  flowId: string;
  postId: string;
  postType: PostType;
  /** Hash of the visitor's Idempotency-Key header, or null. A later request with this key must have the same post. */
  requestKey: string | null;
}

export type Ledger = ReturnType<typeof createLedger>;

/**
 * Creates the ledger. The ledger's functions throw `service_unavailable` when Redis fails or replies too late. Tests pass
 * `scripts` with another clock.
 */
export function createLedger(redis: Redis, policy: LedgerPolicy, scripts = ledgerScripts) {
  const runScript = createScriptRunner(redis, "ledger", scripts);
  /** Redis's clock minus `performance.now()`, in milliseconds. Every reply of a script updates this offset. */
  let clockOffset: number | null = null;
  let firstUsage: Promise<Usage> | undefined;

  async function run<Verb extends keyof typeof ledgerReplies>(verb: Verb, args: object) {
    const reply = await runScript(verb, args);
    clockOffset = reply.now - performance.now();
    if ("abandoned" in reply) getMeter()?.countOrders("abandoned", reply.abandoned);
    return reply;
  }

  /** Runs the reserve script with a deadline. If Redis runs the script after the deadline, it creates no order. */
  async function reserveBeforeDeadline(args: object) {
    const deadline = performance.now() + redisDeadlineMs;
    const attempt = () => run("reserve", { ...args, notAfter: deadline + (clockOffset ?? 0) });
    return withTimeout(
      redisDeadlineMs,
      () => timeoutError("Redis: all of reserve"),
      async () => {
        if (clockOffset === null) await (firstUsage ??= dailyUsage().finally(() => (firstUsage = undefined)));
        const reply = await attempt();
        // If the operating system suspended this process, the offset was wrong. The late reply has corrected
        // the offset, so a second attempt can succeed.
        return reply.kind === "late" ? attempt() : reply;
      },
    );
  }

  /**
   * Creates an order of 50 likes, or finds the visitor's earlier order. If `kind` is `leased`, the caller
   * must send the order. Any other `kind` is the reason why the caller must not send an order.
   */
  async function reserve(request: ReserveRequest): Promise<ReserveResult> {
    const identity = identityArgs(request.visitor, policy);
    const orderIds = Array.from({ length: ordersPerFlow }, (_, n) => deriveOrderId(request.flowId, n));
    const reply = await reserveBeforeDeadline({
      ...identity,
      ...policyArgs(policy),
      names: [...identity.names, ...orderIds.map((id) => `order:${id}`)],
      orderIds,
      visitor: request.visitor.visitorHashes[0],
      attempt: randomId(),
      flow: request.flowId,
      postId: request.postId,
      postType: request.postType,
      requestKey: request.requestKey ?? undefined,
      maxRequestKeys,
      leaseMs: policy.leaseMs,
      live: policy.live,
    });
    if (reply.kind !== "late") return reply;
    const cause = new LoggableError("Redis: reserve ran late");
    throw new AppError("service_unavailable", { retryAfterSeconds, cause });
  }

  /**
   * Gives a new delivery attempt a lease on the next due order. Skips orders that became due after `upTo`.
   * `reconcile` passes its start time, so that it does not claim the same order twice.
   */
  async function claim(upTo?: number) {
    return run("claim", { attempt: randomId(), leaseMs: policy.leaseMs, live: policy.live, upTo });
  }

  /** Records that the delivery service accepted the order, starts the cooldown, and returns the order. */
  async function settle({ id, visitor }: Order, providerReference?: string): Promise<Order> {
    const cooldownMs = policy.cooldownSeconds * 1_000;
    return (await run("settle", { orderId: id, visitor, providerReference, cooldownMs })).order;
  }

  /** Records that the service refused the order. Gives the likes back to the day; the visitor may order again. */
  async function refuse({ id, attempt }: Order, message: string): Promise<Order> {
    return (await run("refuse", { orderId: id, attempt, message })).order;
  }

  /** Records that the outcome is unknown. The order stays open for the next delivery attempt. */
  async function defer({ id, attempt }: Order): Promise<Order> {
    return (await run("defer", { orderId: id, attempt })).order;
  }

  /** Returns when each limit stops blocking the visitor (Redis's clock), and whether an order is open. */
  async function status(visitor: VisitorIdentity): Promise<VisitorStatus> {
    return run("status", { ...identityArgs(visitor, policy), ...policyArgs(policy) });
  }

  /** Returns today's used likes, the limit, and the end of the GMT day. Likes of open orders count as used. */
  async function dailyUsage(): Promise<Usage> {
    return run("dailyUsage", { dailyLikeLimit: policy.dailyLikeLimit });
  }

  return { reserve, claim, settle, refuse, defer, status, dailyUsage };
}

/** Returns the names of the records that tell whether a visitor may place an order. */
function identityArgs(
  { visitorHashes, addressHashes, networks, cookieOrderId }: VisitorIdentity,
  policy: LedgerPolicy,
) {
  const recordNames = (kind: string, hashes: readonly string[]) => hashes.map((hash) => `${kind}:${hash}`);
  const visitors = recordNames("visitor", visitorHashes);
  const capped = [
    { names: recordNames("address", addressHashes), cap: policy.maxRequestsPerAddressPerDay },
    ...networks.map(({ kind, hashes }) => ({
      names: recordNames("network", hashes),
      cap: networkCap(kind, policy),
    })),
  ];
  const cookies = cookieOrderId ? [`order:${cookieOrderId}`] : [];
  return {
    visitors,
    networks: capped,
    names: [...visitors, ...capped.flatMap(({ names }) => names), ...cookies],
    cookie: cookieOrderId ?? undefined,
  };
}

function policyArgs(policy: LedgerPolicy) {
  const { dailyLikeLimit, maxRequestsPerDay } = policy;
  return {
    dailyLikeLimit,
    maxRequestsPerDay,
    likes: limits.likesPerRequest,
    pacing: policy.pacing ? pacing : undefined,
    rateLimit: { requests: policy.rateLimit.requests, windowMs: policy.rateLimit.windowSeconds * 1_000 },
  };
}

function randomId(): string {
  return randomBytes(16).toString("base64url");
}
