import { socketAddressHeader } from "./request-hook";
import { clientAddress, normalizeAddress } from "./visitor";

function headers(forwardedFor: string | null, extra: Record<string, string> = {}): Headers {
  const result = new Headers({ [socketAddressHeader]: "10.0.0.9", ...extra });
  if (forwardedFor !== null) result.set("x-forwarded-for", forwardedFor);
  return result;
}

describe("clientAddress", () => {
  it("takes the socket's address when no proxy is trusted, whatever the client claims", () => {
    const trust = { header: undefined, proxyHops: 0 };
    expect(clientAddress(headers("1.2.3.4", { "x-real-ip": "1.2.3.4" }), trust)).toBe("10.0.0.9");
  });

  it("counts trusted hops from the right, so that a forged entry on the left is not reached", () => {
    const forged = "6.6.6.6, 203.0.113.7, 10.0.0.1";
    expect(clientAddress(headers(forged), { header: undefined, proxyHops: 1 })).toBe("10.0.0.1");
    expect(clientAddress(headers(forged), { header: undefined, proxyHops: 2 })).toBe("203.0.113.7");
  });

  it("falls back to the socket for a request that did not come through the proxy", () => {
    expect(clientAddress(headers(null), { header: undefined, proxyHops: 2 })).toBe("10.0.0.9");
    expect(clientAddress(headers("1.2.3.4"), { header: "cf-connecting-ip", proxyHops: 0 })).toBe("10.0.0.9");
  });

  it("takes the trusted header alone", () => {
    const given = headers("1.2.3.4", { "cf-connecting-ip": "203.0.113.7" });
    expect(clientAddress(given, { header: "cf-connecting-ip", proxyHops: 0 })).toBe("203.0.113.7");
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
    ["", "unknown"],
    ["not an address", "unknown"],
    ["203.0.113.7:1234", "unknown"],
  ])("%s -> %s", (text, expected) => {
    expect(normalizeAddress(text)).toBe(expected);
  });
});
