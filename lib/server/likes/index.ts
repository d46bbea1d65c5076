import "server-only";
import { likeRateLimit } from "@/lib/server/http/rate-limits";
import { getDelivery } from "@/lib/server/delivery";
import { getEnv } from "@/lib/server/config/env";
import { getRedis } from "@/lib/server/redis/client";
import { createLedgerAdmin, type LedgerAdmin } from "./ledger-admin";
import { createLedger, type Ledger } from "./ledger";

/** Milliseconds from the delivery timeout to the end of the lease: time to store the outcome in Redis. */
const leaseMarginMs = 7_000;

let shared: Ledger | undefined;

/** Returns the ledger with the configured limits. Creates one instance per process. */
export function getLedger(): Ledger {
  if (shared) return shared;
  const { ledger, rateLimitScale } = getEnv();
  shared = createLedger(getRedis(), {
    ...ledger,
    rateLimit: { ...likeRateLimit, requests: likeRateLimit.requests * rateLimitScale },
    leaseMs: getDelivery().timeoutMs + leaseMarginMs,
  });
  return shared;
}

/** Returns the ledger functions that operator tools and the health endpoint use. */
export function getLedgerAdmin(): LedgerAdmin {
  return createLedgerAdmin(getRedis(), getEnv().ledger);
}
