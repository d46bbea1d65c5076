import "server-only";
import type { Delivery } from "./delivery";

/** Creates a delivery that accepts every order and sends nothing. Pages then show the demo banner. */
export function createDryRun(): Delivery {
  return { timeoutMs: 0, send: () => Promise.resolve({ outcome: "accepted" }) };
}
