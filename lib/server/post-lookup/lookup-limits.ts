import "server-only";
import type { Redis } from "@upstash/redis";
import { AppError } from "@/lib/http/errors";
import { retention } from "@/lib/config/limits";
import type { VisitorIdentity } from "@/lib/server/identity/visitor-identity";
import { withAutoPipelining, withRedis } from "@/lib/server/redis/client";

const hourMs = 3_600_000;

/** Maximum lookups per flow (the visitor's steps from link to receipt): the first lookup and two retries. */
export const lookupsPerFlow = 3;
/** Maximum lookups per IP address and hour. Without a token, Meta allows the whole site 1,000 per hour. */
export const lookupsPerAddressPerHour = 100;

/**
 * Counts a lookup that the server is about to send. Returns false if the flow exceeds its limit. Throws
 * `rate_limited` if the IP address exceeds its limit. Throws `service_unavailable` if Redis fails.
 *
 * @param scale Value of TEST_RATE_LIMIT_SCALE. It multiplies the limit per IP address.
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
