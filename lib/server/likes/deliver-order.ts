import "server-only";
import type { Delivery, DeliveryOutcome } from "@/lib/server/delivery/delivery";
import { log } from "@/lib/server/log/log";
import { getMeter } from "@/lib/server/metrics/meter";
import type { Ledger } from "./ledger";
import type { Order } from "./ledger-replies";

/** Sends an order once to the delivery service and records the outcome. Returns the order with its new state. */
export async function deliverOrder(order: Order, ledger: Ledger, delivery: Delivery): Promise<Order> {
  const startedAt = performance.now();
  const result = await delivery.send(order);
  getMeter()?.countDelivery(result.outcome, (performance.now() - startedAt) / 1_000);
  if (result.outcome === "unknown") log.warn("delivery", { order: order.id, ...result });
  else log.info("delivery", { order: order.id, outcome: result.outcome });
  const updated = await recordOutcome(result, order, ledger);
  const { state, tries } = updated;
  // Counts a pending order only after the first attempt. Later attempts would count the same order again.
  if (state === "accepted" || state === "refused" || (state === "pending" && tries === 1)) {
    getMeter()?.countOrders(state, 1);
  }
  return updated;
}

function recordOutcome(result: DeliveryOutcome, order: Order, ledger: Ledger): Promise<Order> {
  switch (result.outcome) {
    case "accepted":
      return ledger.settle(order, result.reference);
    case "refused":
      return ledger.refuse(order, result.message);
    case "unknown":
      return ledger.defer(order);
  }
}
