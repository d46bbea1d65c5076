import "server-only";
import { rateLimitPolicies } from "@/lib/server/http/rate-limits";
import { getDelivery } from "@/lib/server/delivery/delivery";
import { getEnv } from "@/lib/server/config/env";
import { getRedis } from "@/lib/server/redis/client";
import { createLedgerAdmin, type LedgerAdmin } from "./ledger-admin";
import { createLedger, type Ledger } from "./ledger";

/** A lease lasts this much longer than the delivery timeout, so that the server can store the outcome. */
const leaseMarginMs = 7_000;

let shared: Ledger | undefined;

/** Returns the ledger, which stores orders and enforces the configured limits. Creates one ledger per process. */
export function getLedger(): Ledger {
  if (shared) return shared;
  const { ledger, rateLimitScale, delivery } = getEnv();
  shared = createLedger(getRedis(), {
    ...ledger,
    rateLimit: { ...rateLimitPolicies.like, requests: rateLimitPolicies.like.requests * rateLimitScale },
    leaseMs: getDelivery().timeoutMs + leaseMarginMs,
    live: delivery.kind === "webhook",
  });
  return shared;
}

/** Returns the ledger functions that operator tools and the health endpoint use. */
export function getLedgerAdmin(): LedgerAdmin {
  return createLedgerAdmin(getRedis(), getEnv().ledger);
}
