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
  /** Number of requests per address and window that each server process accepts without a call to Redis. */
  free?: number;
}

/**
 * Rate limits per IP address. Several people may share one address. See
 * docs/decisions/0014-caps-by-network.md.
 */
export const rateLimitPolicies = {
  /** Captcha checks. A person needs one or two checks. */
  verify: { requests: 20, windowSeconds },
  /** Messages from the forms. A person sends one or two messages. */
  form: { requests: 10, windowSeconds },
  /** Reports of unknown paths. Crawlers and broken links cause many reports. */
  notFoundReport: { requests: 20, windowSeconds },
  /** A page requests the visitor's status about three times, and again when the tab gets the focus. */
  status: { free: 60, requests: 240, windowSeconds },
  /** Each open tab requests the daily usage once or twice a minute, unless a CDN caches the response. */
  dailyUsage: { free: 120, requests: 480, windowSeconds },
  /** The browser requests the site key once for each form that the visitor uses. */
  siteKey: { free: 60, requests: 240, windowSeconds },
  /** Captcha challenges. The server needs 2 to 3 ms of CPU time to create a challenge. */
  challenge: { free: 20, requests: 40, windowSeconds },
} as const satisfies Record<string, RateLimit>;

/** Rate limit of requests for likes per IP address. The Redis script `reserve` enforces this limit. */
export const likeRateLimit = { requests: 30, windowSeconds } as const;

export type RateLimitPolicy = keyof typeof rateLimitPolicies;

const limiters = new Map<RateLimitPolicy, Ratelimit>();

const countLocally = createLocalCounter(windowSeconds);

/** Counts a request. Throws `rate_limited` above the limit. Throws `service_unavailable` if Redis fails. */
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
    // Sends the limiter's Redis command in one batch with other commands of the same event-loop tick.
    redis: withAutoPipelining(getRedis()),
    limiter: Ratelimit.fixedWindow(requests * getEnv().rateLimitScale, `${windowSeconds} s`),
    prefix: `burst:${policy}`,
    // Disables the time-out of @upstash/ratelimit. After a time-out, the library would accept the request.
    timeout: 0,
  });
  limiters.set(policy, limiter);
  return limiter;
}
