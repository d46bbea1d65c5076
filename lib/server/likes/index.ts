import "server-only";
import { likeRateLimit } from "@/lib/server/http/rate-limits";
import { getDelivery } from "@/lib/server/delivery";
import { getEnv } from "@/lib/server/config/env";
import { getRedis } from "@/lib/server/redis/client";
import { createLedgerAdmin, type LedgerAdmin } from "./ledger-admin";
import { createLedger, type Ledger } from "./ledger";

/** Time for ledger writes around a delivery, in milliseconds. A lease must outlive its delivery attempt. */
const leaseMarginMs = 7_000;

let shared: Ledger | undefined;

/** Returns the ledger with the configured limits; one instance per process. */
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

/** Returns the ledger's administration functions, for operator tools and the health endpoint. */
export function getLedgerAdmin(): LedgerAdmin {
  return createLedgerAdmin(getRedis(), getEnv().ledger);
}
