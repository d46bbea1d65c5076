import "server-only";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import type { NetworkKind } from "@/lib/config/limits";

/**
 * One spelling per address, or null for what is none: without the port that some proxies write behind it; IPv4 also
 * when it came inside IPv6 (mapped, or by NAT64); and IPv6 cut to /64, because a household or a phone has a whole /64
 * to choose from.
 */
export function normalizeAddress(text: string): string | null {
  const [host = ""] = withoutPort(text).split("%");
  if (isIP(host) === 0) return null;
  const address = ipaddr.process(host);
  if (address instanceof ipaddr.IPv4) return address.toString();
  if (address.match(nat64)) return new ipaddr.IPv4(address.toByteArray().slice(-4)).toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${address.toNormalizedString()}/64`).toString();
}

/** The wider networks, as CIDR, of an address that `normalizeAddress` wrote. */
export function networksOf(address: string): { kind: NetworkKind; network: string }[] {
  const wider = isIP(address) === 4 ? widerThanIPv4Address : widerThanIPv6Address;
  return wider.map(([kind, width]) => {
    const cidr = `${address}/${width}`;
    const parser = kind === "IPv4 /24" ? ipaddr.IPv4 : ipaddr.IPv6;
    return { kind, network: `${parser.networkAddressFromCIDR(cidr).toString()}/${width}` };
  });
}

const widerThanIPv4Address: readonly [NetworkKind, number][] = [["IPv4 /24", 24]];
const widerThanIPv6Address: readonly [NetworkKind, number][] = [
  ["IPv6 /56", 56],
  ["IPv6 /48", 48],
  ["IPv6 /32", 32],
];

/** The prefix by which networks without IPv4 reach it (RFC 6052). */
const nat64 = ipaddr.IPv6.parseCIDR("64:ff9b::/96");

/** `203.0.113.7:4711`, `[2001:db8::1]:4711` and `[2001:db8::1]` without what is not the address. */
function withoutPort(text: string): string {
  const [, inBrackets, beforePort] = /^(?:\[(.*)\](?::\d+)?|([\d.]+):\d+)$/.exec(text) ?? [];
  return inBrackets ?? beforePort ?? text;
}
