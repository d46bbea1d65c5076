import "server-only";
import type { Receipt } from "@/lib/schemas/api-responses";
import type { Order } from "./ledger-replies";

/** Converts an accepted order to the receipt that the API returns. Throws when the order is not accepted. */
export function toReceipt(order: Order): Receipt {
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

/** Returns the remaining cooldown in seconds, at least 1. The rate-limit cookie gets this number as Max-Age. */
export function remainingCooldownSeconds(order: Order): number {
  const { acceptedAt, cooldownUntil } = acceptance(order);
  const fullCooldown = cooldownUntil - acceptedAt;
  return Math.max(1, Math.ceil(Math.min(fullCooldown, cooldownUntil - order.readAt) / 1_000));
}

function acceptance(order: Order): { acceptedAt: number; cooldownUntil: number } {
  if (order.closedAt === null || order.cooldownUntil === null) throw new Error("The order is not accepted");
  return { acceptedAt: order.closedAt, cooldownUntil: order.cooldownUntil };
}
