import "server-only";
import type { Receipt } from "@/lib/http/api-responses";
import type { Order } from "./ledger-replies";

/** What the visitor gets for an accepted order. */
export function receiptOf(order: Order): Receipt {
  const { acceptedAt, cooldownUntil } = acceptance(order);
  return {
    reference: order.id,
    postId: order.postId,
    type: order.postType,
    likes: order.likes,
    acceptedAt: new Date(acceptedAt).toISOString(),
    nextAvailable: new Date(cooldownUntil).toISOString(),
  };
}

/** Life of the rate-limit cookie: the whole cooldown, or what may be left of it when an outcome is replayed. */
export function cooldownLeftSeconds(order: Order): number {
  const { acceptedAt, cooldownUntil } = acceptance(order);
  const whole = cooldownUntil - acceptedAt;
  return Math.max(1, Math.ceil(Math.min(whole, cooldownUntil - order.readAt) / 1_000));
}

function acceptance(order: Order): { acceptedAt: number; cooldownUntil: number } {
  if (order.closedAt === null || order.cooldownUntil === null) throw new Error("The order is not accepted");
  return { acceptedAt: order.closedAt, cooldownUntil: order.cooldownUntil };
}
