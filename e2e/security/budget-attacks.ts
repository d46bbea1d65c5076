import type { NetworkKind } from "@/lib/config/limits";
import { Visitor } from "@/testing/visitor";

/** Attempts to order the likes of a whole day from one network. */
export interface Attack {
  name: string;
  /** The network whose cap ends the attack. */
  network: NetworkKind | "address";
  /** Returns the address of the nth attempt. */
  address(n: number): string;
}

const hex = (n: number) => (n % 65_536).toString(16);
/** Uses every subnetwork early, so that no narrower cap ends the attack. */
const spread = (n: number) => hex(n * 257);

export const attacks: readonly Attack[] = [
  { name: "one IPv4 address", network: "address", address: () => "203.0.113.7" },
  { name: "one IPv6 /64", network: "address", address: (n) => `2001:db8:0:1::${hex(n)}` },
  { name: "one IPv6 /56", network: "IPv6 /56", address: (n) => `2001:db8:2:${hex(256 + (n % 256))}::1` },
  { name: "one IPv6 /48", network: "IPv6 /48", address: (n) => `2001:db8:3:${spread(n)}::1` },
  { name: "one IPv6 /32", network: "IPv6 /32", address: (n) => `2001:db9:${spread(n)}:${hex(n)}::1` },
  { name: "one IPv4 /24", network: "IPv4 /24", address: (n) => `203.0.113.${n % 256}` },
];

/** Number of refusals in a row, from different addresses, after which an attack ends. */
const refusalsAtEnd = 32;
const parallelBots = 8;

/**
 * Runs an attack over HTTP, with a solved captcha and a new fingerprint for each attempt. Then `honest` visitors order,
 * each from another network. Returns the numbers of orders of the attack and of these visitors.
 */
export async function drain(
  url: string,
  attack: Attack,
  honest: number,
): Promise<{ orders: number; served: number }> {
  let orders = 0;
  let next = 0;
  let refusals = 0;
  await inParallel(async () => {
    while (refusals < refusalsAtEnd) {
      const n = next++;
      const bot = new Visitor(url, { address: attack.address(n), fingerprint: `robot-${n}` });
      const accepted = await order(bot);
      orders += accepted ? 1 : 0;
      refusals = accepted ? 0 : refusals + 1;
    }
  });

  let served = 0;
  let left = honest;
  await inParallel(async () => {
    while (left-- > 0) {
      const address = `100.${64 + (left >> 8)}.${left & 255}.5`;
      if (await order(new Visitor(url, { address, fingerprint: "person" }))) served += 1;
    }
  });
  return { orders, served };
}

async function inParallel(work: () => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: parallelBots }, work));
}

/** Takes all steps, unless the status says that no order is possible. Returns whether the order was accepted. */
async function order(visitor: Visitor): Promise<boolean> {
  const status = await visitor.get("/api/instagram/status");
  if (status.body.canRequest !== true) return false;
  await visitor.startFlow();
  return (await visitor.like()).status === 200;
}
