import "server-only";
import { likeRateLimit } from "@/lib/server/http/rate-limits";
import { getDelivery } from "@/lib/server/delivery";
import { getEnv } from "@/lib/server/config/env";
import { getRedis } from "@/lib/server/redis/client";
import { createLedgerAdmin, type LedgerAdmin } from "./ledger-admin";
import { createLedger, type Ledger } from "./ledger";

/** Time beyond the delivery's own for the ledger's writes around it, so that a lease outlives its try. */
const leaseMarginMs = 7_000;

let shared: Ledger | undefined;

/** The ledger with the configured limits. */
export function getLedger(): Ledger {
  if (shared) return shared;
  const { ledger, burstLimitScale } = getEnv();
  shared = createLedger(getRedis(), {
    ...ledger,
    burst: { ...likeRateLimit, requests: likeRateLimit.requests * burstLimitScale },
    leaseMs: getDelivery().timeoutMs + leaseMarginMs,
  });
  return shared;
}

/** The operator's view of the ledger. */
export function getLedgerAdmin(): LedgerAdmin {
  return createLedgerAdmin(getRedis(), getEnv().ledger);
}
