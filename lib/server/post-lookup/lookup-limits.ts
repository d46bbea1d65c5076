import "server-only";
import type { Redis } from "@upstash/redis";
import { AppError } from "@/lib/http/errors";
import { retention } from "@/lib/config/limits";
import type { VisitorIdentity } from "@/lib/server/identity/visitor-identity";
import { withAutoPipelining, withRedis } from "@/lib/server/redis/client";

const hourMs = 3_600_000;

/** Maximum lookups per flow: the first lookup, and two retries after provider failures. */
export const lookupsPerFlow = 3;
/** Maximum lookups per IP address and hour. Without a token, Meta allows 1,000 an hour for the whole site. */
export const lookupsPerAddressPerHour = 100;

/**
 * Counts a lookup before the server sends it. Returns false above the limit of the flow. Throws
 * `rate_limited` above the limit of the IP address, and `service_unavailable` if Redis fails.
 *
 * @param scale BURST_LIMIT_SCALE. The limit per IP address is multiplied by this number.
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
  const [flowCount, addressCount] = await withRedis("count lookup", async () => {
    const batch = withAutoPipelining(redis);
    const [first, count] = await Promise.all([
      batch.set(flowKey, 1, { nx: true, ex: retention.lookupCountMinutes * 60 }),
      batch.incr(addressKey),
      batch.expire(addressKey, secondsLeft),
    ]);
    return [first === "OK" ? 1 : await redis.incr(flowKey), count] as const;
  });
  if (addressCount > lookupsPerAddressPerHour * scale) {
    throw new AppError("rate_limited", { retryAfterSeconds: secondsLeft });
  }
  return flowCount <= lookupsPerFlow;
}
