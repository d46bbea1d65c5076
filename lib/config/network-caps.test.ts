import { limits, networkShares, type NetworkKind } from "@/lib/config/limits";
import { addressCap, networkCap } from "./network-caps";

const kinds = Object.keys(networkShares).filter((kind): kind is NetworkKind => kind !== "address");

function caps(dailyLikeLimit: number, configured?: number, maxRequestsPerDay = 6) {
  const policy = { dailyLikeLimit, maxRequestsPerDay };
  const maxRequestsPerAddressPerDay = addressCap(policy, configured);
  const wider = kinds.map((kind) => [kind, networkCap(kind, { ...policy, maxRequestsPerAddressPerDay })]);
  return { address: maxRequestsPerAddressPerDay, ...Object.fromEntries(wider) } as Record<string, number>;
}

it("limits a network to its share of the day's orders", () => {
  expect(caps(limits.dailyLikeLimit)).toEqual({
    address: limits.maxRequestsPerAddressPerDay,
    "IPv6 /56": 90,
    "IPv6 /48": 180,
    "IPv4 /24": 240,
    "IPv6 /32": 500,
  });
  expect(caps(1_000_000)).toMatchObject({ address: 600, "IPv6 /56": 900, "IPv6 /32": 5_000 });
});

it("with a small daily limit, allows each network at least as many orders as one visitor", () => {
  expect(caps(5_000)).toEqual({ address: 6, "IPv6 /56": 6, "IPv6 /48": 9, "IPv4 /24": 12, "IPv6 /32": 25 });
  expect(Object.values(caps(50, undefined, 3))).toEqual([3, 3, 3, 3, 3]);
});

it("applies the configured address cap, and never gives a larger network a lower cap", () => {
  expect(caps(limits.dailyLikeLimit, 2)).toMatchObject({ address: 2, "IPv6 /56": 90 });
  expect(caps(limits.dailyLikeLimit, 200)).toMatchObject({
    address: 200,
    "IPv6 /56": 200,
    "IPv6 /48": 200,
    "IPv4 /24": 240,
  });
});
