import "server-only";
import type { Redis } from "@upstash/redis";
import { z } from "zod";
import type { VisitorIdentity } from "@/lib/server/identity/visitor-identity";
import { withRedis } from "@/lib/server/redis/client";
import { networkCap, type CapPolicy } from "@/lib/config/network-caps";
import { keyPrefix } from "./script-runner";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

const numberMap = z.record(z.string(), z.number()).default({});
/**
 * Schema of the record that Redis stores for an address or a network. ledger-scripts.ts describes the fields.
 */
const recordSchema = z.object({ orders: numberMap, hours: numberMap, lost: numberMap });

/**
 * For the visitor's address and each of the visitor's networks, divides the orders of the last 24 hours by
 * the cap. Returns the highest quotient.
 */
export async function networkUsage(
  redis: Redis,
  { addressHashes, networks }: Pick<VisitorIdentity, "addressHashes" | "networks">,
  policy: CapPolicy & { maxRequestsPerAddressPerDay: number },
): Promise<number> {
  const lookups = [
    { kind: "address" as const, hashes: addressHashes, cap: policy.maxRequestsPerAddressPerDay },
    ...networks.map((network) => ({ ...network, cap: networkCap(network.kind, policy) })),
  ].flatMap(({ kind, hashes, cap }) =>
    hashes.map((hash) => ({
      kind,
      cap,
      key: `${keyPrefix}${kind === "address" ? kind : "network"}:${hash}`,
    })),
  );
  const records = await withRedis("network usage", () =>
    redis.mget<unknown[]>(...lookups.map(({ key }) => key)),
  );
  // Uses this server's clock instead of Redis's clock. The result only affects the captcha difficulty, so a
  // small clock error is harmless.
  const now = Date.now();
  const shares = new Map<string, number>();
  for (const [n, { kind, cap }] of lookups.entries()) {
    const used = countRecentOrders(recordSchema.parse(records[n] ?? {}), now);
    shares.set(kind, (shares.get(kind) ?? 0) + used / cap);
  }
  return Math.max(...shares.values());
}

function countRecentOrders({ orders, hours, lost }: z.output<typeof recordSchema>, now: number): number {
  const recent = Object.values(orders).filter((at) => at > now - dayMs).length;
  return [hours, lost]
    .flatMap((counts) => Object.entries(counts))
    .filter(([hour]) => Number(hour) * hourMs > now - dayMs)
    .reduce((sum, [, count]) => sum + count, recent);
}
