import { expect, test, useServers } from "@/testing/test";
import { rawRequest } from "@/testing/raw-http";
import { postLink } from "@/testing/sample-posts";
import { newAddress } from "@/testing/visitor";
import { newVisitorInFlow } from "@/testing/visitor-in-flow";

/*
 * Forged client addresses. The limits must use the address from the trusted proxy, or the socket's address.
 * lib/server/identity/identify-visitor.test.ts tests the choice of the address.
 */

type Header = [name: string, value: string];

const capPerAddress = 3;

const addressHeaders = [
  ...["x-forwarded-for", "x-original-forwarded-for", "x-vercel-forwarded-for"],
  ...["x-real-ip", "x-client-ip", "x-cluster-client-ip", "x-remote-addr", "x-socket-address"],
  ...["cf-connecting-ip", "true-client-ip", "fastly-client-ip", "fly-client-ip"],
  ...["x-envoy-external-address", "x-appengine-user-ip"],
];

/** Returns every header that is known to carry a client address, with a forged address. */
const forgedHeaders = (address: string): Header[] => [
  ...addressHeaders.map((name): Header => [name, address]),
  ["x-forwarded-for", `${address}, ${address}, ${address}`],
  ["forwarded", `for=${address};proto=https`],
  ["cf-connecting-ipv6", "2001:db8::1"],
];

/** Returns the headers that the proxy sends for a client's headers and address. */
type Proxy = (headers: Header[], address: string) => Header[];

const cf = "cf-connecting-ip";
const trusts: [name: string, env: Record<string, string>, proxy: Proxy][] = [
  ["no proxy", {}, (headers) => headers],
  [
    "TRUSTED_IP_HEADER",
    { TRUSTED_IP_HEADER: cf },
    (headers, address) => [...headers.filter(([name]) => name !== cf), [cf, address]],
  ],
  [
    "two proxies",
    { TRUSTED_PROXY_HOPS: "2" },
    (headers, address) => [...headers, ["x-forwarded-for", `${address}, 10.0.0.1`]],
  ],
];

for (const [name, env, proxy] of trusts)
  test.describe(`with ${name}`, () => {
    const servers = useServers({
      env: { TRUSTED_IP_HEADER: undefined, MAX_REQUESTS_PER_IP_PER_DAY: String(capPerAddress), ...env },
    });

    /** Requests likes with a new flow. Returns "accepted" or the error code. */
    async function like(address: string, fingerprint: string, forged: Header[]): Promise<string> {
      const visitor = await newVisitorInFlow(servers.app.url);
      const { status, body } = await rawRequest(servers.app.port, {
        method: "POST",
        target: "/api/instagram/like",
        headers: [
          ["content-type", "application/json"],
          ...proxy(forged, address),
          ["cookie", visitor.cookieHeader()],
          ["x-visitor-fingerprint", fingerprint],
        ],
        body: JSON.stringify({ instagramUrl: postLink }),
      });
      return status === 200 ? "accepted" : (JSON.parse(body) as { code: string }).code;
    }

    test("ignores forged addresses for the cooldown and for the cap per address", async () => {
      const address = newAddress();
      expect(await like(address, "first", [])).toBe("accepted");
      for (const header of forgedHeaders(newAddress())) {
        const outcome = await like(address, "first", [header]);
        expect({ header, outcome }).toEqual({ header, outcome: "cooldown" });
      }
      for (let n = 2; n <= capPerAddress; n++) {
        expect(await like(address, `other-${n}`, forgedHeaders(newAddress()))).toBe("accepted");
      }
      for (const [n, header] of forgedHeaders(newAddress()).entries()) {
        const outcome = await like(address, `more-${n}`, [header]);
        expect({ header, outcome }).toEqual({ header, outcome: "address_cap" });
      }
    });
  });
