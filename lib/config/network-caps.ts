import { limits, networkShares, type NetworkKind } from "@/lib/config/limits";

export interface CapPolicy {
  dailyLikeLimit: number;
  maxRequestsPerDay: number;
}

/** Returns how many orders an IPv4 address or IPv6 /64 may place in 24 hours: `configured` or the default. */
export function addressCap(policy: CapPolicy, configured?: number): number {
  return configured ?? Math.max(policy.maxRequestsPerDay, shareOf("address", ordersPerDay(policy)));
}

/** Returns how many orders a network may place in 24 hours. Never less than the limit of one address. */
export function networkCap(kind: NetworkKind, policy: CapPolicy & { maxRequestsPerAddressPerDay: number }) {
  return Math.max(policy.maxRequestsPerAddressPerDay, shareOf(kind, ordersPerDay(policy)));
}

/** Returns how much of a resource an address or a network may use, rounded down. */
export function shareOf(kind: keyof typeof networkShares, capacity: number): number {
  return Math.floor((capacity * networkShares[kind]) / 100);
}

function ordersPerDay({ dailyLikeLimit }: CapPolicy): number {
  return dailyLikeLimit / limits.likesPerRequest;
}
