import "server-only";
import type { Ledger, LedgerPolicy, ReserveRequest } from "@/lib/server/likes/ledger";
import type { Order } from "@/lib/server/likes/ledger-replies";

export const policy: LedgerPolicy = {
  dailyLikeLimit: 100_000,
  cooldownSeconds: 14_400,
  maxRequestsPerDay: 6,
  maxRequestsPerAddressPerDay: 60,
  rateLimit: { requests: 1_000, windowSeconds: 60 },
  pacing: false,
  leaseMs: 5_000,
  live: true,
};

/** Key with the time of the scripts of `withTestClock`, in milliseconds since 1970. */
export const testClockKey = "{likes}:clock";

/** Returns the scripts with another clock than Redis's. */
export function withTestClock<Scripts extends Record<string, string>>(scripts: Scripts): Scripts {
  const clock = `(function() local at = tonumber(redis.call('GET', '${testClockKey}')); return { math.floor(at / 1000), at % 1000 * 1000 } end)()`;
  const entries = Object.entries(scripts).map(([name, script]) => [
    name,
    script.replace("redis.call('TIME')", clock),
  ]);
  return Object.fromEntries(entries) as Scripts;
}

/** Text in the hashes that `newRequest` generates. Tests check that no error message contains this text. */
export const confidential = "confidential";

let counter = 0;

/** Creates the argument of `ledger.reserve` for a new visitor. The given fields replace the generated fields. */
export function newRequest({
  visitorHash = `${confidential}-visitor-${++counter}`,
  addressHash = `${confidential}-address-${++counter}`,
  ...rest
}: Partial<ReserveRequest> & { visitorHash?: string; addressHash?: string } = {}): ReserveRequest {
  return {
    visitor: {
      visitorHashes: [visitorHash],
      addressHashes: [addressHash],
      networks: [],
      cookieOrderId: null,
    },
    flowId: `flow-${++counter}`,
    postId: "Cxyz123abc_",
    postType: "post",
    requestKey: null,
    ...rest,
  };
}

/** Reserves an order and returns the order. Throws when the ledger refuses the request. */
export async function reserveOrder(ledger: Ledger, request = newRequest()): Promise<Order> {
  const result = await ledger.reserve(request);
  if (result.kind !== "leased") throw new Error(`expected an order, got ${result.kind}`);
  return result.order;
}
