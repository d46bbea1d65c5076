import "server-only";
import type { Delivery } from "../delivery/delivery";
import { log } from "../log";
import type { Ledger } from "./ledger";
import type { Order } from "./ledger-replies";

/**
 * One try at a leased order: sends it and writes the outcome down. Returns the order as the ledger then has it:
 * accepted, refused, or pending when nobody knows.
 */
export async function deliverOrder(order: Order, ledger: Ledger, delivery: Delivery): Promise<Order> {
  const result = await delivery.send(order);
  log.info("delivery", { order: order.id, outcome: result.outcome, reason: reasonOf(result) });
  switch (result.outcome) {
    case "accepted":
      return ledger.settle(order, result.reference);
    case "refused":
      return ledger.release(order, result.message);
    case "unknown":
      return ledger.defer(order);
  }
}

function reasonOf(result: Awaited<ReturnType<Delivery["send"]>>): string | undefined {
  return result.outcome === "unknown" ? result.reason : undefined;
}
