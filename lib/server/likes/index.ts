import "server-only";
import { likeBurst } from "../burst-limits";
import { getDelivery } from "../delivery";
import { getEnv } from "../env";
import { getRedis } from "../redis/client";
import { createBooks, type Books } from "./books";
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
    burst: { ...likeBurst, requests: likeBurst.requests * burstLimitScale },
    leaseMs: getDelivery().timeoutMs + leaseMarginMs,
  });
  return shared;
}

/** The operator's view of the ledger. */
export function getBooks(): Books {
  return createBooks(getRedis(), getEnv().ledger);
}
