import "server-only";
import type { Delivery } from "./delivery";

/** Accepts every order and sends nothing; pages carry the demo banner while it is in use. */
export function createDryRun(): Delivery {
  return { timeoutMs: 0, send: () => Promise.resolve({ outcome: "accepted" }) };
}
