import "server-only";
import { Ratelimit } from "@upstash/ratelimit";
import { AppError } from "@/lib/errors";
import { retention } from "@/lib/limits";
import { getEnv } from "./env";
import type { VisitorIdentity } from "./likes/ledger";
import { batched, getRedis, onRedis } from "./redis/client";

const windowSeconds = retention.burstMinutes * 60;

/**
 * Burst limits per client address: how many requests within a window. They keep one client from wearing out a
 * provider or filling Redis; the cooldown and the budget are the ledger's. Addresses are shared (offices, mobile
 * networks), so each number leaves room for several people at once.
 *
 * `status` and `daily-usage` have none: one read of theirs costs Redis as much as the check would.
 * The like's own check stands inside the ledger's reserve script: one round trip less.
 */
export const burstPolicies = {
  /** A captcha check starts a flow; a person needs one or two. */
  verify: { requests: 20, windowSeconds },
  /** Every call may reach the lookup provider. */
  postDetails: { requests: 30, windowSeconds },
  /** A person sends one or two messages. */
  form: { requests: 10, windowSeconds },
  /** Crawlers and broken links report quickly. */
  notFoundReport: { requests: 20, windowSeconds },
} as const satisfies Record<string, { requests: number; windowSeconds: number }>;

/** Attempts to order per address and minute; enforced by the ledger's reserve. */
export const likeBurst = { requests: 30, windowSeconds } as const;

export type BurstPolicy = keyof typeof burstPolicies;

const limiters = new Map<BurstPolicy, Ratelimit>();

/**
 * Counts a request against a policy. Throws `rate_limited` with the seconds to wait, or `service_unavailable` when
 * Redis does not answer: limits fail closed.
 */
export async function checkBurst(
  policy: BurstPolicy,
  { addressHashes: [address = ""] }: Pick<VisitorIdentity, "addressHashes">,
): Promise<void> {
  const { success, reset } = await onRedis(`burst ${policy}`, () => limiterOf(policy).limit(address));
  if (success) return;
  throw new AppError("rate_limited", {
    retryAfterSeconds: Math.max(1, Math.ceil((reset - Date.now()) / 1_000)),
  });
}

function limiterOf(policy: BurstPolicy): Ratelimit {
  const existing = limiters.get(policy);
  if (existing) return existing;
  const { requests, windowSeconds } = burstPolicies[policy];
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
