import "server-only";
import { Ratelimit } from "@upstash/ratelimit";
import { AppError } from "@/lib/http/errors";
import { retention } from "@/lib/config/limits";
import { getEnv } from "@/lib/server/config/env";
import type { VisitorIdentity } from "@/lib/server/identity/visitor-identity";
import { createLocalCounter } from "./local-counter";
import { batched, getRedis, onRedis } from "@/lib/server/redis/client";

const windowSeconds = retention.burstMinutes * 60;

interface BurstLimit {
  requests: number;
  windowSeconds: number;
  /** So many are let through by each process before it asks Redis at all. */
  free?: number;
}

/**
 * Burst limits per client address: how many requests within a window. They keep one client from wearing out a
 * provider or filling Redis; the cooldown and the budget are the ledger's. Addresses are shared (offices, mobile
 * networks), so each number leaves room for several people at once.
 *
 * Where the check would cost Redis as much as the request, each process lets some requests of an address through on its
 * own (`free`), so that whoever asks politely costs nothing more. Beyond them Redis counts, for all processes together,
 * and a process that was told no remembers it until the window ends.
 * The like's own check stands inside the ledger's reserve script: one round trip less. Lookups of posts have limits of
 * their own (posts/lookup-limits.ts).
 */
export const rateLimitPolicies = {
  /** A captcha check starts a flow; a person needs one or two. */
  verify: { requests: 20, windowSeconds },
  /** A person sends one or two messages. */
  form: { requests: 10, windowSeconds },
  /** Crawlers and broken links report quickly. */
  notFoundReport: { requests: 20, windowSeconds },
  /** A visitor asks three times, and again when a tab gets the focus. */
  status: { free: 60, requests: 240, windowSeconds },
  /** Each open tab asks once or twice a minute, where no CDN answers. */
  dailyUsage: { free: 120, requests: 480, windowSeconds },
  /** Once for each form that is used. */
  siteKey: { free: 60, requests: 240, windowSeconds },
  /** 2 to 3 ms of work each; more than can be sent to `verify`. */
  challenge: { free: 20, requests: 40, windowSeconds },
} as const satisfies Record<string, BurstLimit>;

/** Attempts to order per address and minute; enforced by the ledger's reserve. */
export const likeRateLimit = { requests: 30, windowSeconds } as const;

export type RateLimitPolicy = keyof typeof rateLimitPolicies;

const limiters = new Map<RateLimitPolicy, Ratelimit>();

const countHere = createLocalCounter(windowSeconds);

/**
 * Counts a request against a policy. Throws `rate_limited` with the seconds to wait, or `service_unavailable` when
 * Redis does not answer: limits fail closed.
 */
export async function checkRateLimit(
  policy: RateLimitPolicy,
  { addressHashes: [address = ""] }: Pick<VisitorIdentity, "addressHashes">,
): Promise<void> {
  const { free = 0 }: BurstLimit = rateLimitPolicies[policy];
  if (free > 0 && countHere(`${policy} ${address}`) <= free * getEnv().burstLimitScale) return;
  const { success, reset } = await onRedis(`burst ${policy}`, () => limiterOf(policy).limit(address));
  if (success) return;
  throw new AppError("rate_limited", {
    retryAfterSeconds: Math.max(1, Math.ceil((reset - Date.now()) / 1_000)),
  });
}

function limiterOf(policy: RateLimitPolicy): Ratelimit {
  const existing = limiters.get(policy);
  if (existing) return existing;
  const { requests, windowSeconds } = rateLimitPolicies[policy];
  const limiter = new Ratelimit({
    // What is asked in the same tick goes with it: see check-captcha.ts.
    redis: batched(getRedis()),
    limiter: Ratelimit.fixedWindow(requests * getEnv().burstLimitScale, `${windowSeconds} s`),
    prefix: `burst:${policy}`,
    // Its own time-out lets requests pass; ours is the Redis client's deadline, which refuses them.
    timeout: 0,
  });
  limiters.set(policy, limiter);
  return limiter;
}
