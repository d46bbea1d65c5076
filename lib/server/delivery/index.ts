import "server-only";
import { getEnv } from "@/lib/server/config/env";
import type { Delivery } from "./delivery";
import { createDryRun } from "./dry-run";
import { createWebhook } from "./webhook";

let shared: Delivery | undefined;

/** Returns the delivery adapter that LIKE_DELIVERY selects. Creates one instance per process. */
export function getDelivery(): Delivery {
  const { delivery } = getEnv();
  return (shared ??= delivery.kind === "webhook" ? createWebhook(delivery) : createDryRun());
}
