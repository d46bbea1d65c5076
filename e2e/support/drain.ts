import { pbkdf2Sync } from "node:crypto";
import { solveChallenge, type Challenge, type DeriveKeyFunction } from "altcha-lib";
import type { NetworkKind } from "@/lib/config/limits";
import { Visitor } from "./visitor";

/** Somebody who wants all of a day, from the addresses at hand. */
export interface Attack {
  name: string;
  /** Whose cap ends it; null where only the day's own limit does. */
  network: NetworkKind | "address" | null;
  /** How many addresses there are to ask from; an IPv6 /64 counts as one. */
  addresses: number;
  /** The address of the nth try. */
  address(n: number): string;
}

const hex = (n: number) => (n % 65_536).toString(16);
/** Visits every group of a network early, so that no narrower cap ends the attack. */
const spread = (n: number) => hex(n * 257);
const scattered = (count: number): Attack => ({
  name: `${count.toLocaleString("en-US")} scattered IPv4 addresses`,
  network: null,
  addresses: count,
  address: (n) => `10.${(n % count) >> 8}.${(n % count) & 255}.9`,
});

export const attacks: readonly Attack[] = [
  { name: "one IPv4 address", network: "address", addresses: 1, address: () => "203.0.113.7" },
  { name: "one IPv6 /64", network: "address", addresses: 1, address: (n) => `2001:db8:0:1::${hex(n)}` },
  {
    name: "one IPv6 /56",
    network: "IPv6 /56",
    addresses: 256,
    address: (n) => `2001:db8:2:${hex(256 + (n % 256))}::1`,
  },
  {
    name: "one IPv6 /48",
    network: "IPv6 /48",
    addresses: 65_536,
    address: (n) => `2001:db8:3:${spread(n)}::1`,
  },
  {
    name: "one IPv6 /32",
    network: "IPv6 /32",
    addresses: 65_536 ** 2,
    address: (n) => `2001:db9:${spread(n)}:${hex(n)}::1`,
  },
  {
    name: "one IPv4 /24",
    network: "IPv4 /24",
    addresses: 256,
    address: (n) => `203.0.113.${n % 256}`,
  },
  scattered(100),
  scattered(1_000),
];

/** Refusals in a row, each at another address, after which there is no more to be had. */
const refusalsAtEnd = 32;
const lanes = 8;

export interface Drained {
  orders: number;
  seconds: number;
  /** Of the honest visitors who came afterwards. */
  served: number;
}

/**
 * Runs an attack to its end, with every human check solved and a new fingerprint each time, and then lets honest visitors
 * come, each from a network of their own. All of it over HTTP, by the ways that a browser goes.
 */
export async function drain(url: string, attack: Attack, honest: number): Promise<Drained> {
  const startedAt = performance.now();
  let orders = 0;
  let next = 0;
  let refusals = 0;
  const lane = async () => {
    while (refusals < refusalsAtEnd) {
      const n = next++;
      const bot = new Bot(url, { address: attack.address(n), fingerprint: `robot-${n}` });
      if (await bot.order()) {
        orders += 1;
        refusals = 0;
      } else refusals += 1;
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  const seconds = (performance.now() - startedAt) / 1_000;

  let served = 0;
  let left = honest;
  const honestLane = async () => {
    while (left-- > 0) {
      const visitor = new Bot(url, {
        address: `100.${64 + (left >> 8)}.${left & 255}.5`,
        fingerprint: "person",
      });
      if (await visitor.order()) served += 1;
    }
  };
  await Promise.all(Array.from({ length: lanes }, honestLane));
  return { orders, seconds, served };
}

/** The rounds of a try are few here: they cost no more than a turn of the event loop, so there is none between them. */
const deriveKey: DeriveKeyFunction = ({ cost }, salt, password) =>
  Promise.resolve({ derivedKey: new Uint8Array(pbkdf2Sync(password, salt, cost, 32, "sha256")) });

/** Goes the whole way, as fast as it can, and asks first whether there is something to be had. */
class Bot extends Visitor {
  override async solveCaptcha(): Promise<string> {
    const challenge = (await (await this.fetch("/api/recaptcha/challenge")).json()) as Challenge;
    const solution = await solveChallenge({ challenge, deriveKey });
    if (!solution) throw new Error("the challenge was not solved");
    return Buffer.from(JSON.stringify({ challenge, solution })).toString("base64");
  }

  /** True when it got likes. */
  async order(): Promise<boolean> {
    const status = await this.get("/api/instagram/status");
    if (status.body.canRequest !== true) return false;
    await this.startFlow();
    return (await this.like()).status === 200;
  }
}
