import "server-only";
import type { VisitorIdentity } from "@/lib/server/identity/visitor-identity";
import type { Ledger, LedgerPolicy, ReserveRequest } from "./ledger";
import type { Order } from "./ledger-replies";

/* For tests: what they ask of the ledger. */

export const policy: LedgerPolicy = {
  dailyLikeLimit: 100_000,
  cooldownSeconds: 14_400,
  maxRequestsPerDay: 6,
  maxRequestsPerAddressPerDay: 60,
  burst: { requests: 1_000, windowSeconds: 60 },
  leaseMs: 5_000,
};

/** Stands in every hash of a new request: nothing of it may appear in an error. */
export const confidential = "confidential";

let counter = 0;

/** A request of a visitor nobody has seen before; fields can be overridden. */
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
    visitor: { visitorHashes: [visitorHash], addressHashes: [addressHash], networks, cookieId: null },
    flowId: `flow-${counter}`,
    postId: "Cxyz123abc_",
    postType: "post",
    requestKey: null,
    bodyHash: "body",
    ...rest,
  };
}

/** Reserves, and throws unless that made an order. */
export async function reserveOrder(ledger: Ledger, request = newRequest()): Promise<Order> {
  const result = await ledger.reserve(request);
  if (result.kind !== "leased") throw new Error(`expected an order, got ${result.kind}`);
  return result.order;
}
