import "server-only";
import type { VisitorIdentity } from "@/lib/server/identity/identify-visitor";
import type { Ledger, LedgerPolicy, ReserveRequest } from "./ledger";
import type { Order } from "./ledger-replies";

export const policy: LedgerPolicy = {
  dailyLikeLimit: 100_000,
  cooldownSeconds: 14_400,
  maxRequestsPerDay: 6,
  maxRequestsPerAddressPerDay: 60,
  rateLimit: { requests: 1_000, windowSeconds: 60 },
  leaseMs: 5_000,
};

/** Text in the hashes that `newRequest` generates. Tests check that no error message contains this text. */
export const confidential = "confidential";

let counter = 0;

/**
 * Creates the argument of `ledger.reserve` for a new visitor. Fields in `over` replace the generated fields.
 */
export function newRequest(
  over: Partial<ReserveRequest> & {
    visitorHash?: string;
    addressHash?: string;
    networks?: VisitorIdentity["networks"];
  } = {},
): ReserveRequest {
  counter += 1;
  const {
    visitorHash = `${confidential}-visitor-${counter}`,
    addressHash = `${confidential}-address-${counter}`,
    networks = [],
    ...rest
  } = over;
  return {
    visitor: { visitorHashes: [visitorHash], addressHashes: [addressHash], networks, rateLimitId: null },
    flowId: `flow-${counter}`,
    postId: "Cxyz123abc_",
    postType: "post",
    requestKey: null,
    bodyHash: "body",
    ...rest,
  };
}

/** Reserves an order and returns the order. Throws when the ledger refuses the request. */
export async function reserveOrder(ledger: Ledger, request = newRequest()): Promise<Order> {
  const result = await ledger.reserve(request);
  if (result.kind !== "leased") throw new Error(`expected an order, got ${result.kind}`);
  return result.order;
}
