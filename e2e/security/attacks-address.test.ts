import { expect, test, useServers } from "../support/test";
import { createFlow, sealFlow } from "@/lib/server/identity/flow-cookie";
import { sessionSecret } from "../support/servers/app-server";
import { rawRequest } from "../support/raw-http";
import { postCode, postLink } from "../support/sample-posts";
import { newAddress } from "../support/visitor";

/* Forged client addresses. The limits must use the address from the trusted proxy, or the socket's address. */

type Header = [name: string, value: string];

const capPerAddress = 3;
const requestsPerMinute = 20;

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

const without = (headers: Header[], name: string) => headers.filter(([given]) => given !== name);
/** Appends addresses to X-Forwarded-For. */
const append = (headers: Header[], ...addresses: string[]): Header[] => {
  const given = headers.filter(([name]) => name === "x-forwarded-for").map(([, value]) => value);
  return [...without(headers, "x-forwarded-for"), ["x-forwarded-for", [...given, ...addresses].join(", ")]];
};

/** Returns the headers that the proxy sends for a client's headers and address. */
type Proxy = (headers: Header[], address: string) => Header[];

const cf = "cf-connecting-ip";
const trusts: [name: string, env: Record<string, string>, proxy: Proxy][] = [
  ["no proxy", {}, (headers) => headers],
  [
    "TRUSTED_IP_HEADER",
    { TRUSTED_IP_HEADER: cf },
    (headers, address) => [...without(headers, cf), [cf, address]],
  ],
  ["one proxy", { TRUSTED_PROXY_HOPS: "1" }, append],
  [
    "one proxy that adds a header line",
    { TRUSTED_PROXY_HOPS: "1" },
    (headers, address) => [...headers, ["x-forwarded-for", address]],
  ],
  ["two proxies", { TRUSTED_PROXY_HOPS: "2" }, (headers, address) => append(headers, address, "10.0.0.1")],
];

for (const [name, env, proxy] of trusts)
  test.describe(`with ${name}`, () => {
    const limits = { TEST_RATE_LIMIT_SCALE: undefined, MAX_REQUESTS_PER_IP_PER_DAY: String(capPerAddress) };
    const servers = useServers({ env: { TRUSTED_IP_HEADER: undefined, ...limits, ...env } });

    async function post(target: string, body: object, headers: Header[]) {
      const response = await rawRequest(servers.app.port, {
        method: "POST",
        target,
        headers: [["content-type", "application/json"], ...headers],
        body: JSON.stringify(body),
      });
      return { ...response, code: (JSON.parse(response.body) as { code?: string }).code };
    }

    /** Requests likes with a new flow. Returns "accepted" or the error code. */
    async function like(address: string, fingerprint: string, forged: Header[]): Promise<string> {
      const link = { postId: postCode, type: "post" as const };
      const cookie = await sealFlow({ ...createFlow(link), post: link }, [sessionSecret]);
      const { status, code } = await post("/api/instagram/like", { instagramUrl: postLink }, [
        ...proxy(forged, address),
        ["cookie", `flow=${cookie}`],
        ["x-visitor-fingerprint", fingerprint],
      ]);
      return status === 200 ? "accepted" : String(code);
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
      const outcomes = new Set<string>();
      for (const [n, header] of forgedHeaders(newAddress()).entries()) {
        outcomes.add(await like(address, `more-${n}`, [header]));
      }
      // The last requests may also exceed the rate limit of this route.
      expect(outcomes).toContain("address_cap");
      expect(outcomes).not.toContain("accepted");
    });

    test("ignores forged addresses for the rate limit", async () => {
      const address = newAddress();
      const verify = () =>
        post("/api/recaptcha/verify", { token: "x" }, proxy(forgedHeaders(newAddress()), address));
      const responses = await Promise.all(Array.from({ length: requestsPerMinute * 3 }, verify));
      const checked = responses.filter(({ code }) => code === "captcha_rejected").length;
      // A new minute with a new count may begin during the test.
      expect(checked).toBeLessThanOrEqual(requestsPerMinute * 2);
      const limited = responses.filter(({ status, code }) => status === 429 && code === "rate_limited");
      expect(limited).toHaveLength(responses.length - checked);
      for (const { headers } of limited) expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    });
  });
