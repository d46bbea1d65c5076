import { socketAddressHeader } from "@/lib/server/http-guard/http-guard";
import { widerNetworks, normalizeAddress } from "./networks";
import { clientAddress } from "./identify-visitor";

function headers(forwardedFor: string | null, extra: Record<string, string> = {}): Headers {
  const result = new Headers({ [socketAddressHeader]: "10.0.0.9", ...extra });
  if (forwardedFor !== null) result.set("x-forwarded-for", forwardedFor);
  return result;
}

describe("clientAddress", () => {
  it("uses the socket's address when no proxy is trusted, and ignores client headers", () => {
    const trust = { header: undefined, proxyHops: 0 };
    expect(clientAddress(headers("1.2.3.4", { "x-real-ip": "1.2.3.4" }), trust)).toBe("10.0.0.9");
  });

  it("counts trusted hops from the right, so that forged entries on the left have no effect", () => {
    const forged = "6.6.6.6, 203.0.113.7, 10.0.0.1";
    expect(clientAddress(headers(forged), { header: undefined, proxyHops: 1 })).toBe("10.0.0.1");
    expect(clientAddress(headers(forged), { header: undefined, proxyHops: 2 })).toBe("203.0.113.7");
  });

  it("returns an empty string for a request that bypassed the proxy", () => {
    expect(clientAddress(headers(null), { header: undefined, proxyHops: 2 })).toBe("");
    expect(clientAddress(headers("203.0.113.7"), { header: undefined, proxyHops: 2 })).toBe("");
    expect(clientAddress(headers("203.0.113.7, "), { header: undefined, proxyHops: 1 })).toBe("");
    expect(clientAddress(headers("1.2.3.4"), { header: "cf-connecting-ip", proxyHops: 0 })).toBe("");
  });

  it("uses only the trusted header if a trusted header is configured", () => {
    const requestHeaders = headers("1.2.3.4", { "cf-connecting-ip": "203.0.113.7" });
    expect(clientAddress(requestHeaders, { header: "cf-connecting-ip", proxyHops: 0 })).toBe("203.0.113.7");
  });
});

describe("normalizeAddress", () => {
  it.each([
    ["203.0.113.7", "203.0.113.7"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"],
    ["2001:db8:1:2:ffff::1", "2001:db8:1:2::"],
    ["2001:DB8:1:2::", "2001:db8:1:2::"],
    ["::1", "::"],
    ["fe80::1%eth0", "fe80::"],
    ["203.0.113.7:1234", "203.0.113.7"],
    ["[2001:db8:1:2:3::4]:1234", "2001:db8:1:2::"],
    ["[2001:db8:1:2:3::4]", "2001:db8:1:2::"],
    ["[::ffff:203.0.113.7]:1234", "203.0.113.7"],
    ["::ffff:cb00:7107", "203.0.113.7"],
    ["64:ff9b::203.0.113.7", "203.0.113.7"],
    ["2002:cb00:7107::1", "203.0.113.7"],
    ["2001:0:4136:e378:8000:63bf:34ff:8ef8", "203.0.113.7"],
    ["64:FF9B::cb00:7107", "203.0.113.7"],
    // 64:ff9b:1::/48 is not the well-known NAT64 prefix, so the result is an IPv6 address.
    ["64:ff9b:1::cb00:7107", "64:ff9b:1::"],
    ["2001:db8::1:8080", "2001:db8::"],
    ["", null],
    ["unknown", null],
    ["not an address", null],
    ["1.2.3.4, 5.6.7.8", null],
    ["2130706433", null],
    ["127.1", null],
    ["010.1.2.3", null],
    ["203.0.113.7:", null],
    ["203.0.113.7:port", null],
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
