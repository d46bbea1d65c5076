import "server-only";
import { Ratelimit } from "@upstash/ratelimit";
import { AppError } from "@/lib/http/errors";
import { retention } from "@/lib/config/limits";
import { getEnv } from "@/lib/server/config/env";
import type { VisitorIdentity } from "@/lib/server/identity/visitor-identity";
import { createLocalCounter } from "./local-counter";
import { withAutoPipelining, getRedis, withRedis } from "@/lib/server/redis/client";

const windowSeconds = retention.rateLimitWindowMinutes * 60;

interface RateLimit {
  requests: number;
  windowSeconds: number;
  /** Number of requests per window that each process allows without a call to Redis. */
  free?: number;
}

/** Rate limits per address, which several people may share (docs/decisions/0014-caps-by-network.md). */
export const rateLimitPolicies = {
  /** A captcha check starts a flow. A person needs one or two checks. */
  verify: { requests: 20, windowSeconds },
  /** A person sends one or two messages. */
  form: { requests: 10, windowSeconds },
  /** Crawlers and broken links send many reports. */
  notFoundReport: { requests: 20, windowSeconds },
  /** A page requests the status about three times, and again when its tab gets the focus. */
  status: { free: 60, requests: 240, windowSeconds },
  /** Each open tab sends one or two requests a minute when no CDN caches the response. */
  dailyUsage: { free: 120, requests: 480, windowSeconds },
  /** One request per form that a visitor uses. */
  siteKey: { free: 60, requests: 240, windowSeconds },
  /** A challenge costs the server 2 to 3 ms. The limit is higher than that of `verify`. */
  challenge: { free: 20, requests: 40, windowSeconds },
} as const satisfies Record<string, RateLimit>;

/** Rate limit of like requests per address. The ledger's reserve script enforces this limit. */
export const likeRateLimit = { requests: 30, windowSeconds } as const;

export type RateLimitPolicy = keyof typeof rateLimitPolicies;

const limiters = new Map<RateLimitPolicy, Ratelimit>();

const countLocally = createLocalCounter(windowSeconds);

/** Throws `rate_limited` above the limit, or `service_unavailable` when Redis fails: limits fail closed. */
export async function checkRateLimit(
  policy: RateLimitPolicy,
  { addressHashes: [address = ""] }: Pick<VisitorIdentity, "addressHashes">,
): Promise<void> {
  const { free = 0 }: RateLimit = rateLimitPolicies[policy];
  if (free > 0 && countLocally(`${policy} ${address}`) <= free * getEnv().rateLimitScale) return;
  const { success, reset } = await withRedis(`burst ${policy}`, () => getLimiter(policy).limit(address));
  if (success) return;
  throw new AppError("rate_limited", {
    retryAfterSeconds: Math.max(1, Math.ceil((reset - Date.now()) / 1_000)),
  });
}

function getLimiter(policy: RateLimitPolicy): Ratelimit {
  const existing = limiters.get(policy);
  if (existing) return existing;
  const { requests, windowSeconds } = rateLimitPolicies[policy];
  const limiter = new Ratelimit({
    // Commands of the same event-loop tick share one pipeline, so this check adds no round trip.
    redis: withAutoPipelining(getRedis()),
    limiter: Ratelimit.fixedWindow(requests * getEnv().rateLimitScale, `${windowSeconds} s`),
    prefix: `burst:${policy}`,
    // Disables the time-out of the library, which would allow requests when Redis is slow.
    timeout: 0,
  });
  limiters.set(policy, limiter);
  return limiter;
}
