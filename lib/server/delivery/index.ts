import "server-only";
import { getEnv } from "@/lib/server/config/env";
import type { Delivery } from "./delivery";
import { createWebhook } from "./webhook";

let shared: Delivery | undefined;

/** Accepts every order and sends nothing. */
const dryRun: Delivery = { timeoutMs: 0, send: () => Promise.resolve({ outcome: "accepted" }) };

/** Returns the delivery adapter that LIKE_DELIVERY selects. Creates one instance per process. */
export function getDelivery(): Delivery {
  const { delivery } = getEnv();
  return (shared ??= delivery.kind === "webhook" ? createWebhook(delivery) : dryRun);
}
