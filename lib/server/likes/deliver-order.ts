import "server-only";
import type { Delivery, DeliveryOutcome } from "@/lib/server/delivery/delivery";
import { log } from "@/lib/server/ops/log";
import { getMeter } from "@/lib/server/ops/meter";
import type { Ledger } from "./ledger";
import type { Order } from "./ledger-replies";

/**
 * One try at a leased order: sends it and writes the outcome down. Returns the order as the ledger then has it:
 * accepted, refused, or pending when nobody knows.
 */
export async function deliverOrder(order: Order, ledger: Ledger, delivery: Delivery): Promise<Order> {
  const startedAt = performance.now();
  const result = await delivery.send(order);
  getMeter()?.countDelivery(result.outcome, (performance.now() - startedAt) / 1_000);
  log.info("delivery", { order: order.id, outcome: result.outcome, reason: reasonOf(result) });
  const written = await writeDown(result, order, ledger);
  countOrder(written);
  return written;
}

function writeDown(result: DeliveryOutcome, order: Order, ledger: Ledger): Promise<Order> {
  switch (result.outcome) {
    case "accepted":
      return ledger.settle(order, result.reference);
    case "refused":
      return ledger.release(order, result.message);
    case "unknown":
      return ledger.defer(order);
  }
}

/** One that stays pending try after try has become so once. */
function countOrder({ state, tries }: Order): void {
  if (state === "accepted" || state === "refused" || (state === "pending" && tries === 1)) {
    getMeter()?.countOrders(state, 1);
  }
}

function reasonOf(result: DeliveryOutcome): string | undefined {
  return result.outcome === "unknown" ? result.reason : undefined;
}
