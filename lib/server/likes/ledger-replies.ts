import "server-only";
import { z } from "zod";
import { postTypeSchema } from "@/lib/schemas/api-responses";

/* Schemas of the replies that the scripts in ledger-scripts.ts send. */

/** Time by Redis's clock, in milliseconds since 1970. */
const time = z.number();
/** Time or null. Lua's JSON encoder omits nil fields, so the schema replaces a missing field with null. */
const timeOrNull = time.nullable().default(null);
const textOrNull = z.string().nullable().default(null);

const orderSchema = z.object({
  /** Visitors see this id as the reference. The delivery service receives it as the idempotency key. */
  id: z.string(),
  state: z.enum(["reserved", "pending", "accepted", "refused", "abandoned"]),
  postId: z.string(),
  postType: postTypeSchema,
  likes: z.number(),
  createdAt: time,
  /** Random id of the last delivery attempt that got a lease on the order. */
  attempt: z.string(),
  /** Hash that identifies the visitor, computed with the secret that was the newest at that time. */
  visitor: z.string(),
  closedAt: timeOrNull,
  cooldownUntil: timeOrNull,
  /** Time of Redis when the script read the order. The clock of this server may be wrong. */
  readAt: time,
  /** Message for the visitor if the delivery service refused the order. Null in all other states. */
  message: textOrNull,
  providerReference: textOrNull,
  tries: z.number(),
});

export type Order = z.output<typeof orderSchema>;

/** Number of orders that the script abandoned: the outcome was unknown after 24 hours, or the post was blocked. */
const abandonedReply = z.object({ abandoned: z.number() });

const orderReply = z.object({ now: time, order: orderSchema });

/** Today's used likes, the daily limit, and the end of the GMT day. */
const usage = { likesUsed: z.number(), totalLimit: z.number(), resetsAt: time };

const reserveDecision = z.discriminatedUnion("kind", [
  /** The caller has a lease on the order and must send the order now. */
  orderReply.extend({ kind: z.literal("leased"), usage: z.object(usage) }),
  /** The visitor repeated an earlier request. `kind` is the state of the earlier order. */
  orderReply.extend({ kind: z.enum(["accepted", "refused", "abandoned"]), usage: z.object(usage) }),
  /** `other_pending` means that the visitor still has an open order for another post. */
  z.object({ kind: z.enum(["other_pending", "key_reused", "flow_used", "post_blocked"]), now: time }),
  z
    .object({
      kind: z.enum([
        ...(["in_progress", "rate_limited", "cooldown", "daily_cap", "address_cap"] as const),
        ...(["daily_limit", "paced"] as const),
      ]),
      now: time,
      waitUntil: time,
    })
    .transform(({ kind, now, waitUntil }) => ({
      kind,
      now,
      waitUntil,
      waitSeconds: Math.max(1, Math.ceil((waitUntil - now) / 1_000)),
    })),
  /** Redis ran the script after the caller's deadline. The script created no order. */
  z.object({ kind: z.literal("late"), now: time }),
]);

export type ReserveResult = Exclude<z.output<typeof reserveDecision>, { kind: "late" }>;

const statusReply = z.object({
  now: time,
  cooldownUntil: timeOrNull,
  dailyCapUntil: timeOrNull,
  addressCapUntil: timeOrNull,
  pacedUntil: timeOrNull,
  pending: z.boolean(),
});

export type VisitorStatus = z.output<typeof statusReply>;

const usageReply = z.object({ now: time, ...usage });
export type Usage = z.output<typeof usageReply>;

export const limitChangeSchema = z.object({
  at: time,
  /** Day of the change in GMT, as the number of days since 1970-01-01. */
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
  refuse: orderReply,
  defer: orderReply,
  status: statusReply,
  dailyUsage: usageReply,
  overview: usageReply.extend({ open: z.number(), oldestAt: timeOrNull }),
  // Lua's JSON encoder writes an empty list as {}. The script therefore omits an empty list.
  findOrders: z.object({ now: time, orders: z.array(orderSchema).default([]) }),
  changeLimit: z.object({ now: time, change: limitChangeSchema }),
};
