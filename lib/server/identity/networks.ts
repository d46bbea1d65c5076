import "server-only";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import type { NetworkKind } from "@/lib/config/limits";

/**
 * Normalizes an IP address. For IPv6, returns the /64 network, because one device can use all addresses of
 * this network. Returns null if the text is not an IP address.
 */
export function normalizeAddress(text: string): string | null {
  const [host = ""] = stripPort(text).split("%");
  if (isIP(host) === 0) return null;
  const address = ipaddr.process(host);
  if (address instanceof ipaddr.IPv4) return address.toString();
  const carrier = ipv4Carriers.find(({ prefix }) => address.match(ipaddr.IPv6.parseCIDR(prefix)));
  if (carrier) {
    const { firstByte, mask } = carrier;
    const bytes = address.toByteArray().slice(firstByte, firstByte + 4);
    return new ipaddr.IPv4(bytes.map((byte) => byte ^ mask)).toString();
  }
  return ipaddr.IPv6.networkAddressFromCIDR(`${address.toNormalizedString()}/64`).toString();
}

/** Returns the larger networks that contain a normalized address, in CIDR notation. */
export function widerNetworks(address: string): { kind: NetworkKind; network: string }[] {
  const prefixes = isIP(address) === 4 ? ipv4Prefixes : ipv6Prefixes;
  return prefixes.map(([kind, length]) => {
    const cidr = `${address}/${length}`;
    const parser = kind === "IPv4 /24" ? ipaddr.IPv4 : ipaddr.IPv6;
    return { kind, network: `${parser.networkAddressFromCIDR(cidr).toString()}/${length}` };
  });
}

const ipv4Prefixes: readonly [NetworkKind, number][] = [["IPv4 /24", 24]];
const ipv6Prefixes: readonly [NetworkKind, number][] = [
  ["IPv6 /56", 56],
  ["IPv6 /48", 48],
  ["IPv6 /32", 32],
];

/** IPv6 addresses that contain the IPv4 address of the client: NAT64 (RFC 6052), 6to4 (RFC 3056), Teredo (RFC 4380). */
const ipv4Carriers = [
  { prefix: "64:ff9b::/96", firstByte: 12, mask: 0 },
  { prefix: "2002::/16", firstByte: 2, mask: 0 },
  { prefix: "2001::/32", firstByte: 12, mask: 0xff },
];

/** Removes the port and the brackets, for example from `203.0.113.7:4711` or `[2001:db8::1]:4711`. */
function stripPort(text: string): string {
  const [, inBrackets, beforePort] = /^(?:\[(.*)\](?::\d+)?|([\d.]+):\d+)$/.exec(text) ?? [];
  return inBrackets ?? beforePort ?? text;
}
