import "server-only";
import type { Delivery } from "./delivery";

/** Creates the adapter that accepts every order and sends nothing. LIKE_DELIVERY=dry-run selects it. */
export function createDryRun(): Delivery {
  return { timeoutMs: 0, send: () => Promise.resolve({ outcome: "accepted" }) };
}
