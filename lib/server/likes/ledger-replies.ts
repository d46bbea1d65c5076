import "server-only";
import { z } from "zod";
import { postTypeSchema } from "@/lib/schemas/order";

/*
 * What the ledger's scripts answer (ledger-scripts.ts), and so what its verbs return: times by Redis's clock, in
 * milliseconds since 1970.
 */

const time = z.number();
/** Lua leaves out what is nil. */
const timeOrNull = time.nullable().default(null);
const textOrNull = z.string().nullable().default(null);

const orderShape = z.object({
  /** Also the reference that visitors see, and the delivery's idempotency key. */
  id: z.string(),
  state: z.enum(["reserved", "pending", "accepted", "refused", "abandoned"]),
  postId: z.string(),
  postType: postTypeSchema,
  likes: z.number(),
  createdAt: time,
  /** The try that holds the lease. */
  attempt: z.string(),
  /** Whose order it is: the newest secret's hash. */
  visitor: z.string(),
  /** When it reached its final state, and for an accepted order the end of the cooldown. */
  closedAt: timeOrNull,
  cooldownUntil: timeOrNull,
  /** When the ledger was asked: a server's own clock may be wrong. */
  readAt: time,
  /** The refusal's words from the delivery service. */
  message: textOrNull,
  /** The delivery service's own name for an accepted order. */
  providerReference: textOrNull,
  /** Deliveries begun so far. */
  tries: z.number(),
});

export type Order = z.output<typeof orderShape>;

/** How many orders the script has closed because nobody could say within a day what became of them. */
const abandonedReply = z.object({ abandoned: z.number() });

const orderReply = z.object({ now: time, order: orderShape });

const reserveDecision = z.discriminatedUnion("kind", [
  /** The order is reserved and leased to this attempt: deliver it. */
  orderReply.extend({ kind: z.literal("leased") }),
  /** The outcome that this request had before. */
  orderReply.extend({ kind: z.enum(["accepted", "refused", "abandoned"]) }),
  /** `other_pending`: an order for another post still waits for its outcome. */
  z.object({ kind: z.enum(["other_pending", "key_reused", "flow_used"]), now: time }),
  z
    .object({
      kind: z.enum(["in_progress", "rate_limited", "cooldown", "daily_cap", "address_cap", "daily_limit"]),
      now: time,
      waitUntil: time,
    })
    .transform(({ kind, now, waitUntil }) => ({
      kind,
      now,
      waitSeconds: Math.max(1, Math.ceil((waitUntil - now) / 1_000)),
    })),
  /** It ran when its caller had given up, and charged nothing. */
  z.object({ kind: z.literal("late"), now: time }),
]);

export type ReserveResult = Exclude<z.output<typeof reserveDecision>, { kind: "late" }>;

const statusReply = z.object({
  now: time,
  cooldownUntil: timeOrNull,
  dailyCapUntil: timeOrNull,
  addressCapUntil: timeOrNull,
  pending: z.boolean(),
});

export type VisitorStatus = z.output<typeof statusReply>;

const usageReply = z.object({
  now: time,
  likesUsed: z.number(),
  totalLimit: z.number(),
  /** When the next GMT day begins. */
  resetsAt: time,
});

const changeShape = z.object({
  at: time,
  /** The GMT day, counted from 1970. */
  day: z.number(),
  before: z.number(),
  after: z.number(),
  reason: z.string().optional(),
});

/** One change of a day's limit, in likes. */
export type LimitChange = z.output<typeof changeShape>;

export const ledgerReplies = {
  reserve: z.intersection(reserveDecision, abandonedReply),
  claim: abandonedReply.extend({ now: time, order: orderShape.nullable().default(null) }),
  settle: orderReply,
  release: orderReply,
  defer: orderReply,
  status: statusReply,
  dailyUsage: usageReply,
};

export const adminReplies = {
  overview: usageReply.extend({ open: z.number(), oldestAt: timeOrNull }),
  // An empty list of Lua's is no list in JSON: it is left out.
  readOrders: z.object({ orders: z.array(orderShape).default([]) }),
  changeLimit: z.object({ change: changeShape }),
  limitChanges: z.object({ changes: z.array(changeShape).default([]) }),
};
