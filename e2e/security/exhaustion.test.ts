import { expect, test, useServers } from "@/testing/test";
import { networkShares } from "@/lib/config/limits";
import { attacks, drain } from "./budget-attacks";
import { newVisitorInFlow } from "@/testing/visitor-in-flow";

/* How many orders of a day one network can use up. The daily limit is a tenth of the default. */

const orders = 200;
const honest = 10;
const servers = useServers({ env: { DAILY_LIKE_LIMIT: String(orders * 50), ALTCHA_COST: "1" } });

test.beforeEach(() => servers.store.flushall());

for (const attack of attacks)
  test(`limits ${attack.name} to its share of the day, and serves other networks`, async () => {
    const { orders: taken, served } = await drain(servers.app.url, attack, honest);
    const cap = Math.floor((orders * networkShares[attack.network]) / 100);
    expect({ taken, served }).toEqual({ taken: cap, served: honest });
  });

test("tells a visitor that the other visitors of the address have used its share", async () => {
  const cap = Math.floor((orders * networkShares.address) / 100);
  const newMember = async (n: number) => {
    const visitor = await newVisitorInFlow(servers.app.url);
    Object.assign(visitor.options, { address: "203.0.113.99", fingerprint: `member-${n}` });
    return visitor;
  };
  for (let n = 0; n < cap; n += 1) expect((await (await newMember(n)).like()).status).toBe(200);
  const late = await newMember(cap);
  const { body } = await late.get("/api/instagram/status");
  expect(body).toMatchObject({ canRequest: false, reason: "address_cap" });
  const response = await late.like();
  const message = "Too many requests came from your network in the last 24 hours. Please try again later.";
  expect(response).toMatchObject({ status: 429, body: { message } });
  expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(3_600);
});
