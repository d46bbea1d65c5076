import { expect, test, useServers } from "@/testing/test";
import { networkShares } from "@/lib/config/limits";
import { errorTable } from "@/lib/http/errors";
import { Visitor } from "@/testing/visitor";
import { newVisitorInFlow } from "@/testing/visitor-in-flow";

/* How many orders of a day one network can use up. The daily limit is a tenth of the default. */

const orders = 200;
const servers = useServers({ env: { DAILY_LIKE_LIMIT: String(orders * 50), ALTCHA_COST: "1" } });

test.beforeEach(() => servers.store.flushall());

const hex = (n: number) => (n % 65_536).toString(16);
/** Uses every subnetwork early, so that no narrower cap ends the attack. */
const spread = (n: number) => hex(n * 257);

/** Takes all steps, unless the status says that no order is possible. Returns 1 if the order was accepted, otherwise 0. */
async function order(address: string, fingerprint: string): Promise<number> {
  const visitor = new Visitor(servers.app.url, { address, fingerprint });
  const status = await visitor.get("/api/instagram/status");
  if (status.body.canRequest !== true) return 0;
  await visitor.startFlow();
  return (await visitor.like()).status === 200 ? 1 : 0;
}

/** Sends eight orders at the same time. Returns the number of accepted orders. */
async function orderEight(send: (n: number) => Promise<number>): Promise<number> {
  const accepted = await Promise.all(Array.from({ length: 8 }, (_, n) => send(n)));
  return accepted.reduce((sum, each) => sum + each, 0);
}

// The network is the one whose cap ends the attack.
for (const [name, network, address] of [
  ["one IPv4 address", "address", () => "203.0.113.7"],
  ["one IPv6 /64", "address", (n) => `2001:db8:0:1::${hex(n)}`],
  ["one IPv6 /56", "IPv6 /56", (n) => `2001:db8:2:${hex(256 + (n % 256))}::1`],
  ["one IPv6 /48", "IPv6 /48", (n) => `2001:db8:3:${spread(n)}::1`],
  ["one IPv6 /32", "IPv6 /32", (n) => `2001:db9:${spread(n)}:${hex(n)}::1`],
  ["one IPv4 /24", "IPv4 /24", (n) => `203.0.113.${n % 256}`],
] as [string, keyof typeof networkShares, (n: number) => string][])
  test(`limits ${name} to its share of the day, and serves other networks`, async () => {
    // Each bot has solved its captcha and has a new fingerprint. 32 refusals in a row, from different addresses, end it.
    let taken = 0;
    for (let sent = 0, refused = 0; refused < 32; sent += 8) {
      const accepted = await orderEight((n) => order(address(sent + n), `bot-${sent + n}`));
      taken += accepted;
      refused = accepted > 0 ? 0 : refused + 8;
    }
    const late = await newVisitorInFlow(servers.app.url);
    Object.assign(late.options, { address: address(0), fingerprint: "late" });
    expect((await late.get("/api/instagram/status")).body).toMatchObject({ reason: "address_cap" });
    const { status, body, headers } = await late.like();
    expect([status, body.code, body.message]).toEqual([429, "address_cap", errorTable.address_cap.message]);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(3_600);
    const served = await orderEight((n) => order(`100.64.${n}.5`, "person"));
    const share = Math.floor((orders * networkShares[network]) / 100);
    expect({ taken, served }).toEqual({ taken: share, served: 8 });
  });
