import "server-only";
import { randomBytes } from "node:crypto";
import type { Redis } from "@upstash/redis";
import { z } from "zod";
import type { PostType } from "@/lib/api-types";
import { AppError } from "@/lib/errors";
import { limits, retention } from "@/lib/limits";
import { LoggableError } from "../log";
import { inTime } from "../deadline";
import { redisDeadlineMs } from "../redis/answer";
import { onRedis } from "../redis/client";
import { ledgerScripts } from "./ledger-scripts";
import { orderId } from "./order-id";

/** Version in the prefix: a change of the keys' meaning gets a new one. The hash tag keeps all in one cluster slot. */
export const keyPrefix = "{likes}:v2:";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** How long each kind of key lives after its last write. */
export const livesMs = {
  order: retention.orderDays * dayMs,
  /** Also the age at which an open order is abandoned. */
  pending: retention.openOrderHours * hourMs,
  budget: retention.budgetDays * dayMs,
} as const;

/** A refused order gives its captcha check back; after this many a new one is needed. */
const ordersPerFlow = 3;
/** Idempotency-Keys that are remembered of one visitor: a browser makes one for each attempt to order. */
const requestsPerVisitor = 20;

/** Who asks: keyed hashes only, newest secret first, and the order that the rate-limit cookie names. */
export interface VisitorIdentity {
  visitorHashes: readonly string[];
  addressHashes: readonly string[];
  cookieId: string | null;
}

export interface Order {
  /** Also the reference that visitors see, and the delivery's idempotency key. */
  id: string;
  state: "reserved" | "pending" | "accepted" | "refused" | "abandoned";
  postId: string;
  postType: PostType;
  likes: number;
  createdAt: number;
  /** The try that holds the lease. */
  attempt: string;
  /** Whose order it is: the newest secret's hash. */
  visitor: string;
  /** When it reached its final state, and for an accepted order the end of the cooldown; Redis's clock, milliseconds. */
  closedAt: number | null;
  cooldownUntil: number | null;
  /** When the ledger was asked, by Redis's clock: a server's own may be wrong. */
  readAt: number;
  /** The refusal's words from the delivery service. */
  message: string | null;
  /** The delivery service's own name for an accepted order. */
  providerReference: string | null;
  /** Deliveries begun so far. */
  tries: number;
}

export interface LedgerPolicy {
  dailyLikeLimit: number;
  cooldownSeconds: number;
  maxRequestsPerDay: number;
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

export type ReserveResult =
  /** The order is reserved and leased to this attempt: deliver it. */
  | { kind: "leased"; order: Order }
  /** The outcome that this request had before. */
  | { kind: "accepted" | "refused" | "abandoned"; order: Order }
  /** An order for another post still waits for its outcome. */
  | { kind: "other_pending" }
  | { kind: "key_reused" | "flow_used" }
  | {
      kind: "in_progress" | "rate_limited" | "cooldown" | "daily_cap" | "address_cap" | "daily_limit";
      waitSeconds: number;
    };

export interface VisitorStatus {
  now: number;
  cooldownUntil: number | null;
  dailyCapUntil: number | null;
  addressCapUntil: number | null;
  pending: boolean;
}

export type Ledger = ReturnType<typeof createLedger>;

/** An order as the scripts answer it; `readAt` is the reply's `now`. */
export const orderShape = z
  .object({
    id: z.string(),
    state: z.enum(["reserved", "pending", "accepted", "refused", "abandoned"]),
    postId: z.string(),
    postType: z.enum(["post", "reel"]),
    likes: z.number(),
    visitor: z.string(),
    createdAt: z.number(),
    attempt: z.string(),
    closedAt: z.number().optional(),
    cooldownUntil: z.number().optional(),
    message: z.string().optional(),
    providerReference: z.string().optional(),
    tries: z.number(),
  })
  .transform(({ closedAt, cooldownUntil, message, providerReference, ...rest }): Omit<Order, "readAt"> => ({
    ...rest,
    closedAt: closedAt ?? null,
    cooldownUntil: cooldownUntil ?? null,
    message: message ?? null,
    providerReference: providerReference ?? null,
  }));

const replyShape = z
  .object({
    kind: z.string(),
    now: z.number(),
    order: orderShape.optional(),
    waitUntil: z.number().optional(),
    abandoned: z.number().optional(),
    cooldownUntil: z.number().optional(),
    dailyCapUntil: z.number().optional(),
    addressCapUntil: z.number().optional(),
    pending: z.boolean().optional(),
    likesUsed: z.number().optional(),
    totalLimit: z.number().optional(),
    resetsAt: z.number().optional(),
  })
  .transform(({ order, ...reply }) => ({ ...reply, order: order && { ...order, readAt: reply.now } }));

type Reply = z.output<typeof replyShape>;
type Verb = keyof typeof ledgerScripts;

/**
 * The ledger of orders: the only place that decides cooldown, caps and budget, each verb one atomic script (see
 * ledger-scripts.ts). Every verb rejects with `service_unavailable` when Redis does not answer in time.
 */
export function createLedger(redis: Redis, policy: LedgerPolicy) {
  const scripts = Object.fromEntries(
    Object.entries(ledgerScripts).map(([verb, script]) => [verb, redis.createScript<unknown>(script)]),
  );
  /** Redis's clock minus this process's monotonic clock, learned from every reply. */
  let clockOffset: number | null = null;

  async function run(verb: Verb, args: Record<string, unknown>): Promise<Reply> {
    const answer = await onRedis(`ledger ${verb}`, async () =>
      scripts[verb]?.exec([keyPrefix], [JSON.stringify({ livesMs, ...args })]),
    );
    const reply = replyShape.parse(answer);
    clockOffset = reply.now - performance.now();
    return reply;
  }

  /** All within one deadline, after which the script charges nothing. */
  async function reserveInTime(args: Record<string, unknown>): Promise<Reply> {
    const deadline = performance.now() + redisDeadlineMs;
    const attempt = () => run("reserve", { ...args, notAfter: deadline + (clockOffset ?? 0) });
    return inTime("Redis: all of reserve", redisDeadlineMs, async () => {
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
    const args = {
      ...identityArgs(request.visitor),
      ...policyArgs(policy),
      orderIds: Array.from({ length: ordersPerFlow }, (_, n) => orderId(request.flowId, n)),
      attempt: randomId(),
      flow: request.flowId,
      postId: request.postId,
      postType: request.postType,
      likes: limits.likesPerRequest,
      request: request.requestKey ?? undefined,
      requestLifeMs: retention.idempotencyKeyHours * hourMs,
      mostRequests: requestsPerVisitor,
      bodyHash: request.bodyHash,
      leaseMs: policy.leaseMs,
    };
    return readReserveReply(await reserveInTime(args));
  }

  /**
   * Leases the next open order for another try, oldest first; null when none is due. `upTo` (the `now` of the run's
   * first claim) keeps one run from taking an order twice.
   */
  async function claim(upTo?: number): Promise<{ order: Order | null; abandoned: number; now: number }> {
    const reply = await run("claim", { attempt: randomId(), leaseMs: policy.leaseMs, upTo });
    return { order: reply.order ?? null, abandoned: reply.abandoned ?? 0, now: reply.now };
  }

  /** Records that the delivery provider accepted the order, and starts the cooldown. Returns the order as it stands. */
  async function settle({ id, visitor }: Order, providerReference?: string): Promise<Order> {
    const cooldownMs = policy.cooldownSeconds * 1_000;
    return readOrder(await run("settle", { orderId: id, visitor, providerReference, cooldownMs }));
  }

  /** Records that the provider refused the order, and gives budget, visitor and captcha check back. */
  async function release(order: Order, message: string): Promise<Order> {
    return readOrder(await run("release", { orderId: order.id, attempt: order.attempt, message }));
  }

  /** Records that the outcome is unknown: the order stays reserved and open for the next try. */
  async function defer(order: Order): Promise<Order> {
    return readOrder(await run("defer", { orderId: order.id, attempt: order.attempt }));
  }

  /** What stands between a visitor and the next request, by Redis's clock. */
  async function status(visitor: VisitorIdentity): Promise<VisitorStatus> {
    const reply = await run("status", { ...identityArgs(visitor), ...policyArgs(policy) });
    return {
      now: reply.now,
      cooldownUntil: reply.cooldownUntil ?? null,
      dailyCapUntil: reply.dailyCapUntil ?? null,
      addressCapUntil: reply.addressCapUntil ?? null,
      pending: reply.pending ?? false,
    };
  }

  /** The likes charged on this GMT day, reservations included, its limit, and when the next day begins. */
  async function dailyUsage(): Promise<{
    now: number;
    likesUsed: number;
    resetsAt: number;
    totalLimit: number;
  }> {
    const { dailyLikeLimit } = policy;
    const { now, likesUsed = 0, resetsAt = now, ...reply } = await run("dailyUsage", { dailyLikeLimit });
    return { now, likesUsed, resetsAt, totalLimit: reply.totalLimit ?? dailyLikeLimit };
  }

  return { reserve, claim, settle, release, defer, status, dailyUsage };
}

function identityArgs({ visitorHashes, addressHashes, cookieId }: VisitorIdentity) {
  return { visitors: visitorHashes, addresses: addressHashes, cookie: cookieId ?? undefined };
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

function readReserveReply(reply: Reply): ReserveResult {
  const { kind, order, waitUntil = reply.now, now } = reply;
  switch (kind) {
    case "leased":
    case "accepted":
    case "refused":
    case "abandoned":
      if (order) return { kind, order };
      break;
    case "other_pending":
    case "key_reused":
    case "flow_used":
      return { kind };
    case "in_progress":
    case "rate_limited":
    case "cooldown":
    case "daily_cap":
    case "address_cap":
    case "daily_limit":
      return { kind, waitSeconds: Math.max(1, Math.ceil((waitUntil - now) / 1_000)) };
    case "late":
      throw new AppError("service_unavailable", {
        retryAfterSeconds: 5,
        cause: new LoggableError("Redis: reserve ran late"),
      });
  }
  throw new Error(`The ledger answered ${kind}`);
}

function readOrder(reply: Reply): Order {
  if (!reply.order) throw new Error(`The ledger answered ${reply.kind}`);
  return reply.order;
}

function randomId(): string {
  return randomBytes(16).toString("base64url");
}
