import "server-only";
import { z } from "zod";
import { postTypeSchema } from "@/lib/schemas/order";

/* Reply schemas of the scripts in ledger-scripts.ts. */

/** Time of Redis's clock, in milliseconds since 1970. */
const time = z.number();
/** Time or null. cjson omits nil fields, so a missing field becomes null. */
const timeOrNull = time.nullable().default(null);
const textOrNull = z.string().nullable().default(null);

const orderSchema = z.object({
  /** Order id. Also the reference for visitors and the idempotency key for the delivery service. */
  id: z.string(),
  state: z.enum(["reserved", "pending", "accepted", "refused", "abandoned"]),
  postId: z.string(),
  postType: postTypeSchema,
  likes: z.number(),
  createdAt: time,
  /** Random id of the delivery attempt that holds the lease. */
  attempt: z.string(),
  /** Visitor hash, made with the newest secret. */
  visitor: z.string(),
  closedAt: timeOrNull,
  cooldownUntil: timeOrNull,
  /** Time at which the script read the order. The server's own clock may be wrong. */
  readAt: time,
  /** Message of the delivery service for a refused order. */
  message: textOrNull,
  providerReference: textOrNull,
  tries: z.number(),
});

export type Order = z.output<typeof orderSchema>;

/** Number of orders that the script abandoned because their outcome was still unknown after a day. */
const abandonedReply = z.object({ abandoned: z.number() });

const orderReply = z.object({ now: time, order: orderSchema });

const reserveDecision = z.discriminatedUnion("kind", [
  /** The order is leased to this attempt. The caller must deliver it now. */
  orderReply.extend({ kind: z.literal("leased") }),
  /** The request is a repetition. The order has its earlier outcome. */
  orderReply.extend({ kind: z.enum(["accepted", "refused", "abandoned"]) }),
  /** `other_pending`: the visitor's order for another post is still open. */
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
  /** The script ran after the deadline of its caller, and charged nothing. */
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
  resetsAt: time,
});

const limitChangeSchema = z.object({
  at: time,
  /** GMT day, as the number of days since 1970. */
  day: z.number(),
  before: z.number(),
  after: z.number(),
  reason: z.string().optional(),
});

export type LimitChange = z.output<typeof limitChangeSchema>;

export const ledgerReplies = {
  reserve: z.intersection(reserveDecision, abandonedReply),
  claim: abandonedReply.extend({ now: time, order: orderSchema.nullable().default(null) }),
  settle: orderReply,
  release: orderReply,
  defer: orderReply,
  status: statusReply,
  dailyUsage: usageReply,
};

export const adminReplies = {
  overview: usageReply.extend({ open: z.number(), oldestAt: timeOrNull }),
  // cjson encodes an empty Lua table as an object, so the scripts omit empty lists.
  readOrders: z.object({ orders: z.array(orderSchema).default([]) }),
  changeLimit: z.object({ change: limitChangeSchema }),
  limitChanges: z.object({ changes: z.array(limitChangeSchema).default([]) }),
};
