import { limits, networkShares, type NetworkKind } from "@/lib/config/limits";

export interface CapPolicy {
  dailyLikeLimit: number;
  maxRequestsPerDay: number;
}

/** Returns the maximum number of accepted requests per address (or IPv6 /64) in 24 hours. */
export function addressCap(policy: CapPolicy, configured?: number): number {
  return configured ?? Math.max(policy.maxRequestsPerDay, shareOf("address", policy));
}

/** Returns the cap of a larger network: its share of the day's orders, at least the cap of one address. */
export function networkCap(
  kind: NetworkKind,
  policy: CapPolicy & { maxRequestsPerAddressPerDay: number },
): number {
  return Math.max(policy.maxRequestsPerAddressPerDay, shareOf(kind, policy));
}

function shareOf(kind: keyof typeof networkShares, { dailyLikeLimit }: CapPolicy): number {
  return Math.floor(((dailyLikeLimit / limits.likesPerRequest) * networkShares[kind]) / 100);
}
