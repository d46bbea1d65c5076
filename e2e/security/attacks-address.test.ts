import { createFlow, sealFlow } from "@/lib/server/identity/flow-cookie";
import { sessionSecret } from "../support/servers/app-server";
import { rawRequest, type RawAnswer } from "../support/raw-http";
import { useRig } from "../support/rig";
import { postCode, postLink } from "../support/sample-posts";
import { newAddress } from "../support/visitor";

/*
 * Forged addresses: whatever a visitor writes into the headers that name an address, what the trusted proxy (or the
 * socket) says of him counts, for the cooldown, the cap per address and the burst limits alike.
 */

const capPerAddress = 3;
const burstPerMinute = 20;

/** What a visitor may claim to be, in every header that a proxy is known to use. */
const claims = (address: string): [string, string][] => [
  ["x-forwarded-for", address],
  ["x-forwarded-for", `${address}, ${address}, ${address}`],
  ["x-real-ip", address],
  ["forwarded", `for=${address};proto=https`],
  ["cf-connecting-ip", address],
  ["cf-connecting-ipv6", "2001:db8::1"],
  ["true-client-ip", address],
  ["x-client-ip", address],
  ["x-cluster-client-ip", address],
  ["x-original-forwarded-for", address],
  ["x-remote-addr", address],
  ["x-socket-address", address],
  ["fastly-client-ip", address],
  ["fly-client-ip", address],
  ["x-vercel-forwarded-for", address],
  ["x-envoy-external-address", address],
  ["x-appengine-user-ip", address],
];

interface Trust {
  name: string;
  env: Record<string, string>;
  /** What the proxy in front makes of a visitor's headers. */
  proxy(headers: [string, string][], address: string): [string, string][];
}

const without = (headers: [string, string][], name: string) => headers.filter(([given]) => given !== name);
/** Proxies keep what came and put the address that they saw behind it. */
const append = (headers: [string, string][], ...seen: string[]): [string, string][] => {
  const given = headers.filter(([name]) => name === "x-forwarded-for").map(([, value]) => value);
  return [...without(headers, "x-forwarded-for"), ["x-forwarded-for", [...given, ...seen].join(", ")]];
};

const trusts: Trust[] = [
  { name: "no proxy", env: {}, proxy: (headers) => headers },
  {
    name: "TRUSTED_IP_HEADER",
    env: { TRUSTED_IP_HEADER: "cf-connecting-ip" },
    proxy: (headers, address) => [...without(headers, "cf-connecting-ip"), ["cf-connecting-ip", address]],
  },
  {
    name: "TRUSTED_PROXY_HOPS=1",
    env: { TRUSTED_PROXY_HOPS: "1" },
    proxy: (headers, address) => append(headers, address),
  },
  {
    name: "TRUSTED_PROXY_HOPS=1, a line of its own",
    env: { TRUSTED_PROXY_HOPS: "1" },
    proxy: (headers, address) => [...headers, ["x-forwarded-for", address]],
  },
  {
    name: "TRUSTED_PROXY_HOPS=2",
    env: { TRUSTED_PROXY_HOPS: "2" },
    proxy: (headers, address) => append(headers, address, "10.0.0.1"),
  },
];

describe.each(trusts)("an address is believed from nobody but the trusted: $name", ({ env, proxy }) => {
  const limits = { BURST_LIMIT_SCALE: undefined, MAX_REQUESTS_PER_IP_PER_DAY: String(capPerAddress) };
  const rig = useRig({ env: { TRUSTED_IP_HEADER: undefined, ...limits, ...env } });

  async function post(
    target: string,
    body: object,
    {
      address,
      forged,
      extra = [],
    }: { address: string; forged: [string, string][]; extra?: [string, string][] },
  ): Promise<RawAnswer> {
    const headers = proxy(forged, address);
    return rawRequest(rig.app.port, {
      method: "POST",
      target,
      headers: [["content-type", "application/json"], ...headers, ...extra],
      body: JSON.stringify(body),
    });
  }

  /** Asks for likes with a flow of its own, as a new captcha check would give. */
  async function like(address: string, fingerprint: string, forged: [string, string][]): Promise<string> {
    const link = { postId: postCode, type: "post" as const };
    const cookie = await sealFlow({ ...createFlow(link), post: link }, [sessionSecret]);
    const extra: [string, string][] = [
      ["cookie", `flow=${cookie}`],
      ["x-visitor-fingerprint", fingerprint],
    ];
    const body = { instagramUrl: postLink };
    const answer = await post("/api/instagram/like", body, { address, forged, extra });
    return answer.status === 200 ? "accepted" : (JSON.parse(answer.body) as { code: string }).code;
  }

  it("one visitor has one order, and one address its cap, under every claim", async () => {
    const address = newAddress();
    expect(await like(address, "first", [])).toBe("accepted");
    for (const claim of claims(newAddress())) {
      expect({ claim, outcome: await like(address, "first", [claim]) }).toEqual({
        claim,
        outcome: "cooldown",
      });
    }
    for (let n = 2; n <= capPerAddress; n++) {
      expect(await like(address, `other-${n}`, claims(newAddress()))).toBe("accepted");
    }
    const outcomes = new Set<string>();
    for (const [n, claim] of claims(newAddress()).entries()) {
      outcomes.add(await like(address, `more-${n}`, [claim]));
    }
    // The like's own burst limit may come first towards the end.
    expect(outcomes).toContain("address_cap");
    expect(outcomes).not.toContain("accepted");
  });

  it("a burst under ever new claims is still one address's burst", async () => {
    const address = newAddress();
    const answers = await Promise.all(
      Array.from({ length: burstPerMinute * 3 }, () =>
        post("/api/recaptcha/verify", { token: "x" }, { address, forged: claims(newAddress()) }),
      ),
    );
    const passed = answers.filter(({ status }) => status === 403).length;
    // A new minute may begin meanwhile, with a limit of its own.
    expect(passed).toBeLessThanOrEqual(burstPerMinute * 2);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(answers.length - passed);
  });
});
