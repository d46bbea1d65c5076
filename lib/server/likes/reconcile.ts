import "server-only";
import type { Delivery } from "@/lib/server/delivery/delivery";
import { deliverOrder } from "./deliver-order";
import type { Ledger } from "./ledger";

/** `reconcile` stops after this many unknown outcomes in a row: the delivery service is probably down. */
const maxUnknownInARow = 3;
/** Maximum number of orders per run. A run must be short, because serverless hosts stop long requests. */
const maxOrdersPerRun = 100;

export interface ReconcileReport {
  tried: number;
  accepted: number;
  refused: number;
  stillPending: number;
  abandoned: number;
}

/**
 * Sends due orders again, until none is due or the run reaches a limit. Starts no delivery after `maxRunMs` milliseconds.
 * Several processes may call it at once.
 */
export async function reconcile(
  ledger: Ledger,
  delivery: Delivery,
  maxRunMs = 45_000,
): Promise<ReconcileReport> {
  const report: ReconcileReport = { tried: 0, accepted: 0, refused: 0, stillPending: 0, abandoned: 0 };
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
