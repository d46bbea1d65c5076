import { socketAddressHeader } from "@/lib/server/http-guard/http-guard";
import { widerNetworks, normalizeAddress } from "./networks";
import { clientAddress } from "./identify-visitor";

const forged = "6.6.6.6, 203.0.113.7, 10.0.0.1";
const ofProxy = "cf-connecting-ip";

it.each<
  [
    string,
    forwardedFor: string | null,
    extra: Record<string, string>,
    header: string | undefined,
    hops: number,
    string,
  ]
>([
  ["the socket without a trusted proxy", "1.2.3.4", { "x-real-ip": "1.2.3.4" }, undefined, 0, "10.0.0.9"],
  ["the first hop from the right", forged, {}, undefined, 1, "10.0.0.1"],
  ["the second hop from the right", forged, {}, undefined, 2, "203.0.113.7"],
  ["the trusted header alone", "1.2.3.4", { [ofProxy]: "203.0.113.7" }, ofProxy, 0, "203.0.113.7"],
  // These requests have bypassed a proxy.
  ["nothing without a header of hops", null, {}, undefined, 2, ""],
  ["nothing with too few hops", "203.0.113.7", {}, undefined, 2, ""],
  ["nothing with an empty hop", "203.0.113.7, ", {}, undefined, 1, ""],
  ["nothing without the trusted header", "1.2.3.4", {}, ofProxy, 0, ""],
])("takes the client's address from %s", (_, forwardedFor, extra, header, proxyHops, expected) => {
  const headers = new Headers({ [socketAddressHeader]: "10.0.0.9", ...extra });
  if (forwardedFor !== null) headers.set("x-forwarded-for", forwardedFor);
  expect(clientAddress(headers, { header, proxyHops })).toBe(expected);
});

describe("normalizeAddress", () => {
  it.each([
    ["203.0.113.7", "203.0.113.7"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["2001:db8:1:2:ffff::1", "2001:db8:1:2::"],
    ["fe80::1%eth0", "fe80::"],
    ["[2001:db8:1:2:3::4]", "2001:db8:1:2::"],
    ["[::ffff:203.0.113.7]:1234", "203.0.113.7"],
    ["::ffff:cb00:7107", "203.0.113.7"],
    ["64:ff9b::203.0.113.7", "203.0.113.7"],
    ["2002:cb00:7107::1", "203.0.113.7"],
    ["2001:0:4136:e378:8000:63bf:34ff:8ef8", "203.0.113.7"],
    // 64:ff9b:1::/48 is not the well-known NAT64 prefix, so the result is an IPv6 address.
    ["64:ff9b:1::cb00:7107", "64:ff9b:1::"],
    ["2001:db8::1:8080", "2001:db8::"],
    ["", null],
    ["unknown", null],
    ["1.2.3.4, 5.6.7.8", null],
    ["2130706433", null],
    ["010.1.2.3", null],
    ["203.0.113.7:", null],
    ["[203.0.113.7", null],
    ["2001:db8::1]:80", null],
    ["%eth0", null],
  ])("normalizes %j to %j", (text, expected) => {
    expect(normalizeAddress(text)).toBe(expected);
  });
});

describe("widerNetworks", () => {
  it("returns the /24 of an IPv4 address, and the /56, /48 and /32 of an IPv6 address", () => {
    expect(widerNetworks("203.0.113.7")).toEqual([{ kind: "IPv4 /24", network: "203.0.113.0/24" }]);
    expect(widerNetworks(normalizeAddress("2001:db8:12:34ff:5:6:7:8") ?? "")).toEqual([
      { kind: "IPv6 /56", network: "2001:db8:12:3400::/56" },
      { kind: "IPv6 /48", network: "2001:db8:12::/48" },
      { kind: "IPv6 /32", network: "2001:db8::/32" },
    ]);
  });
});
