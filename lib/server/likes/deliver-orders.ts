import "server-only";
import type { Delivery } from "@/lib/server/delivery/delivery";
import { log } from "@/lib/server/log/log";
import { getMeter } from "@/lib/server/metrics/meter";
import type { Ledger } from "./ledger";
import type { Order } from "./ledger-replies";

/** `reconcile` stops after this many unknown outcomes in a row: the delivery service is probably down. */
const maxUnknownInARow = 3;
/** Maximum number of orders per run. A run must be short, because serverless hosts stop long requests. */
const maxOrdersPerRun = 100;

/** Sends an order once to the delivery service and records the outcome. Returns the order with its new state. */
export async function deliverOrder(order: Order, ledger: Ledger, delivery: Delivery): Promise<Order> {
  const startedAt = performance.now();
  const result = await delivery.send(order);
  getMeter()?.countDelivery(result.outcome, (performance.now() - startedAt) / 1_000);
  if (result.outcome === "unknown") log.warn("delivery", { order: order.id, ...result });
  else log.info("delivery", { order: order.id, outcome: result.outcome });
  const updated =
    result.outcome === "accepted"
      ? await ledger.settle(order, result.reference)
      : result.outcome === "refused"
        ? await ledger.refuse(order, result.message)
        : await ledger.defer(order);
  const { state, tries } = updated;
  // Counts a pending order only after the first attempt. Later attempts would count the same order again.
  if (state === "accepted" || state === "refused" || (state === "pending" && tries === 1))
    getMeter()?.countOrders(state, 1);
  return updated;
}

/**
 * Sends due orders again, until none is due or the run reaches a limit. Starts no delivery after `maxRunMs` milliseconds.
 * Several processes may call it at once.
 */
export async function reconcile(ledger: Ledger, delivery: Delivery, maxRunMs = 45_000) {
  const report = { tried: 0, accepted: 0, refused: 0, stillPending: 0, abandoned: 0 };
  const startedAt = performance.now();
  let unknownInARow = 0;
  let upTo: number | undefined;
  while (
    report.tried < maxOrdersPerRun &&
    unknownInARow < maxUnknownInARow &&
    performance.now() - startedAt < maxRunMs
  ) {
    const { order, abandoned, now } = await ledger.claim(upTo);
    upTo ??= now;
    report.abandoned += abandoned;
    if (!order) break;
    report.tried += 1;
    const { state } = await deliverOrder(order, ledger, delivery);
    if (state === "accepted" || state === "refused") report[state] += 1;
    else report.stillPending += 1;
    unknownInARow = state === "pending" ? unknownInARow + 1 : 0;
  }
  return report;
}
