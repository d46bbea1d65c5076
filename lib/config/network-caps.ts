import { limits, networkShares, type NetworkKind } from "@/lib/config/limits";

/** How many orders a day has for all visitors together, and what is set for one of them. */
export interface CapPolicy {
  dailyLikeLimit: number;
  maxRequestsPerDay: number;
}

/**
 * How many accepted requests an address (an IPv6 /64 counts as one) may have in 24 hours: what the operator has set, or
 * its share of the day's orders; never less than one visitor may have.
 */
export function addressCap(policy: CapPolicy, configured?: number): number {
  return configured ?? Math.max(policy.maxRequestsPerDay, shareOf("address", policy));
}

/** The same for a wider network: its share, and never less than one address in it may have. */
export function networkCap(
  kind: NetworkKind,
  policy: CapPolicy & { maxRequestsPerAddressPerDay: number },
): number {
  return Math.max(policy.maxRequestsPerAddressPerDay, shareOf(kind, policy));
}

function shareOf(kind: keyof typeof networkShares, { dailyLikeLimit }: CapPolicy): number {
  return Math.floor(((dailyLikeLimit / limits.likesPerRequest) * networkShares[kind]) / 100);
}
