import "server-only";
import type { Redis } from "@upstash/redis";
import { z } from "zod";
import type { NetworkKind } from "@/lib/config/limits";
import { onRedis } from "@/lib/server/redis/client";
import { networkCap, type CapPolicy } from "@/lib/config/network-caps";
import { keyPrefix } from "./script-runner";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

const byHour = z.record(z.string(), z.number()).default({});
/** What ledger-scripts.ts keeps of an address (`orders`: id -> time) or of a wider network. */
const recordShape = z.object({ orders: byHour, hours: byHour, lost: byHour });

/** Where somebody asks from: the address and the wider networks around it. */
interface Networks {
  addressHashes: readonly string[];
  networks: readonly { kind: NetworkKind; hashes: readonly string[] }[];
}

/**
 * How much of its cap the fullest of a visitor's networks has used: 0 for one without an order in 24 hours, 1 at the cap.
 * What is refused or abandoned counts like the rest. One plain read, since it is asked with every human check; by this
 * server's clock, which decides no cap. Throws `service_unavailable`.
 */
export async function networkUsage(
  redis: Redis,
  { addressHashes, networks }: Networks,
  policy: CapPolicy & { maxRequestsPerAddressPerDay: number },
): Promise<number> {
  const asked = [
    { kind: "address" as const, hashes: addressHashes, cap: policy.maxRequestsPerAddressPerDay },
    ...networks.map((network) => ({ ...network, cap: networkCap(network.kind, policy) })),
  ].flatMap(({ kind, hashes, cap }) =>
    hashes.map((hash) => ({
      kind,
      cap,
      key: `${keyPrefix}${kind === "address" ? kind : "network"}:${hash}`,
    })),
  );
  const records = await onRedis("network use", () => redis.mget<unknown[]>(...asked.map(({ key }) => key)));
  const now = Date.now();
  const shares = new Map<string, number>();
  for (const [n, { kind, cap }] of asked.entries()) {
    const used = ordersOf(recordShape.parse(records[n] ?? {}), now);
    shares.set(kind, (shares.get(kind) ?? 0) + used / cap);
  }
  return Math.max(...shares.values());
}

function ordersOf({ orders, hours, lost }: z.output<typeof recordShape>, now: number): number {
  const recent = Object.values(orders).filter((at) => at > now - dayMs).length;
  return [hours, lost]
    .flatMap((counts) => Object.entries(counts))
    .filter(([hour]) => Number(hour) * hourMs > now - dayMs)
    .reduce((sum, [, count]) => sum + count, recent);
}
