import "server-only";
import type { Redis } from "@upstash/redis";
import { AppError } from "@/lib/http/errors";
import { retention } from "@/lib/config/limits";
import type { VisitorIdentity } from "@/lib/server/identity/visitor-identity";
import { batched, onRedis } from "@/lib/server/redis/client";

const hourMs = 3_600_000;

/** One to see the post, two for a provider that was not there. */
export const lookupsPerFlow = 3;
/** A tenth of what Meta gives all visitors together without a token. */
export const lookupsPerAddressPerHour = 100;

/**
 * Counts a lookup of a flow's post before the provider is asked. False when the flow has had all of its own; throws
 * `rate_limited` with the seconds to wait when the address has, and `service_unavailable` when Redis does not answer.
 *
 * By plain commands in one round trip, where a script would take as many and one more: the flow's first lookup makes its
 * key, and only the next ones have to ask again.
 *
 * @param scale multiplies what an address may ask: see BURST_LIMIT_SCALE
 */
export async function countLookup(
  flowId: string,
  { addressHashes: [address = ""] }: Pick<VisitorIdentity, "addressHashes">,
  redis: Redis,
  scale: number,
): Promise<boolean> {
  const now = Date.now();
  const hour = Math.floor(now / hourMs);
  const secondsLeft = Math.ceil(((hour + 1) * hourMs - now) / 1_000);
  const flowKey = `lookup:flow:${flowId}`;
  const addressKey = `lookup:address:${address}:${hour}`;
  const [ofFlow, ofAddress] = await onRedis("count lookup", async () => {
    const batch = batched(redis);
    const [first, count] = await Promise.all([
      batch.set(flowKey, 1, { nx: true, ex: retention.lookupCountMinutes * 60 }),
      batch.incr(addressKey),
      batch.expire(addressKey, secondsLeft),
    ]);
    return [first === "OK" ? 1 : await redis.incr(flowKey), count] as const;
  });
  if (ofAddress > lookupsPerAddressPerHour * scale) {
    throw new AppError("rate_limited", { retryAfterSeconds: secondsLeft });
  }
  return ofFlow <= lookupsPerFlow;
}
