import "server-only";
import { Ratelimit } from "@upstash/ratelimit";
import { AppError } from "@/lib/http/errors";
import { limits, retention } from "@/lib/config/limits";
import { getEnv } from "@/lib/server/config/env";
import type { VisitorIdentity } from "@/lib/server/identity/identify-visitor";
import { sharesOf, takeSharesLua } from "@/lib/server/identity/network-shares";
import { createLocalCounter } from "./local-counter";
import { getRedis, withRedis } from "@/lib/server/redis/client";

const windowSeconds = retention.rateLimitWindowMinutes * 60;

interface RateLimit {
  requests: number;
  windowSeconds: number;
  /** Number of requests per address and window that each server process accepts without a call to Redis. */
  free?: number;
}

/** Rate limits per IP address. Several people may share one address. See docs/decisions/0014-caps-by-network.md. */
export const rateLimitPolicies = {
  /** Captcha checks. A person needs one or two checks. */
  verify: { requests: 20, windowSeconds },
  /** Captcha checks that altcha rejects. Then `verify` limits only the checks that altcha accepts. */
  rejectedVerify: { requests: 20, windowSeconds },
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

/** Maximum lookups per flow (the visitor's steps from link to receipt): the first lookup and two retries. */
export const lookupsPerFlow = 3;

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
  const { success, reset } = await withRedis(`rate limit ${policy}`, () => getLimiter(policy).limit(address));
  if (success) return;
  throw new AppError("rate_limited", {
    retryAfterSeconds: Math.max(1, Math.ceil((reset - Date.now()) / 1_000)),
  });
}

export const lookupScript = `${takeSharesLua}
local args = cjson.decode(ARGV[1])
return takeShares(KEYS[1], args.shares, 1, args.lifeMs) and 1 or 0
`;
const hourMs = 3_600_000;

/**
 * Counts a post lookup, and returns whether the flow and the visitor's networks may have it. Throws
 * `service_unavailable` if Redis fails.
 */
export async function countLookup(
  flowId: string,
  visitor: VisitorIdentity,
): Promise<"allowed" | "flow used up" | "share used up"> {
  const redis = getRedis();
  const flowKey = `lookup:flow:${flowId}`;
  const ex = retention.lookupCountMinutes * 60;
  const { record, shares } = sharesOf(visitor, limits.lookupsPerHour * getEnv().rateLimitScale);
  const args = JSON.stringify({ shares, lifeMs: hourMs });
  const [first, share] = await withRedis("count lookup", () =>
    Promise.all([
      redis.batched.set(flowKey, 1, { nx: true, ex }),
      redis.batched.createScript<number>(lookupScript).exec([`lookup:network:${record}`], [args]),
    ]),
  );
  if (share === 0) return "share used up";
  if (first === "OK") return "allowed";
  const lookups = await withRedis("count lookup", () => redis.incr(flowKey));
  return lookups <= lookupsPerFlow ? "allowed" : "flow used up";
}

function getLimiter(policy: RateLimitPolicy): Ratelimit {
  const existing = limiters.get(policy);
  if (existing) return existing;
  const { requests, windowSeconds } = rateLimitPolicies[policy];
  const limiter = new Ratelimit({
    redis: getRedis().batched,
    limiter: Ratelimit.fixedWindow(requests * getEnv().rateLimitScale, `${windowSeconds} s`),
    prefix: `burst:${policy}`,
    // Disables the time-out of @upstash/ratelimit. After a time-out, the library would accept the request.
    timeout: 0,
  });
  limiters.set(policy, limiter);
  return limiter;
}
