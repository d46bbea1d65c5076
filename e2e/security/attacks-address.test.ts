import { expect, test, useServers } from "@/testing/test";
import { postLink } from "@/testing/sample-posts";
import { newAddress } from "@/testing/visitor";
import { newVisitorInFlow } from "@/testing/visitor-in-flow";

/*
 * Forged client addresses. The limits must use the address from the trusted proxy, or the socket's address.
 * lib/server/identity/identify-visitor.test.ts tests the choice of the address.
 */

const capPerAddress = 3;

/** Returns every header that is known to carry a client address, with the same forged address. */
function forgedHeaders(): Record<string, string> {
  const address = newAddress();
  const names = [
    ...["x-original-forwarded-for", "x-vercel-forwarded-for", "cf-connecting-ip", "cf-connecting-ipv6"],
    ...["x-real-ip", "x-client-ip", "x-cluster-client-ip", "x-remote-addr", "x-socket-address"],
    ...["true-client-ip", "fastly-client-ip", "fly-client-ip"],
    ...["x-envoy-external-address", "x-appengine-user-ip"],
  ];
  return {
    ...Object.fromEntries(names.map((name) => [name, address])),
    "x-forwarded-for": `${address}, ${address}, ${address}`,
    forwarded: `for=${address};proto=https`,
  };
}

/** For each setting: the header that the proxy writes, with the client's value and the client's address. */
for (const [name, env, header, proxy] of [
  ["no proxy", {}, "x-forwarded-for", (forged: string) => forged],
  [
    "TRUSTED_IP_HEADER",
    { TRUSTED_IP_HEADER: "cf-connecting-ip" },
    "cf-connecting-ip",
    (_forged: string, address: string) => address,
  ],
  [
    "two proxies",
    { TRUSTED_PROXY_HOPS: "2" },
    "x-forwarded-for",
    (forged: string, address: string) => `${forged}, ${address}, 10.0.0.1`,
  ],
] as const)
  test.describe(`with ${name}`, () => {
    const servers = useServers({
      env: { TRUSTED_IP_HEADER: undefined, MAX_REQUESTS_PER_IP_PER_DAY: String(capPerAddress), ...env },
    });

    test("ignores forged addresses for the cooldown and for the cap per address, and names the cap", async () => {
      const address = newAddress();
      const outcomes = [];
      for (const fingerprint of ["first", "first", "second", "third", "fourth"]) {
        const visitor = await newVisitorInFlow(servers.app.url);
        Object.assign(visitor.options, { address: undefined, fingerprint });
        const headers = forgedHeaders();
        headers[header] = proxy(headers[header]!, address);
        const response = await visitor.post("/api/instagram/like", { instagramUrl: postLink }, headers);
        outcomes.push(response.body.code ?? "accepted");
        if (response.body.code !== "address_cap") continue;
        const message =
          "Too many requests came from your network in the last 24 hours. Please try again later.";
        expect(response).toMatchObject({ status: 429, body: { message } });
        expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(3_600);
        const { body } = await visitor.get("/api/instagram/status", headers);
        expect(body).toMatchObject({ canRequest: false, reason: "address_cap" });
      }
      expect(outcomes).toEqual(["accepted", "cooldown", "accepted", "accepted", "address_cap"]);
    });
  });
