import { expect, test, useServers } from "../support/test";
import { networkShares } from "@/lib/config/limits";
import { attacks, drain } from "../support/drain";
import { newVisitorInFlow } from "../support/visitor-in-flow";

/* What one person can take of a day, with a tenth of the day. */

const orders = 200;
const honest = 10;
const servers = useServers({ env: { DAILY_LIKE_LIMIT: String(orders * 50), ALTCHA_COST: "1" } });

test.beforeEach(() => servers.store.flushall());

test.describe("with every check solved and a new fingerprint each time", () => {
  for (const attack of attacks.filter(({ network }) => network !== null))
    test(`${attack.name} gets its share of the day, and everybody else is served`, async () => {
      const { orders: taken, served } = await drain(servers.app.url, attack, honest);
      const cap = Math.floor((orders * networkShares[attack.network ?? "address"]) / 100);
      expect({ taken, served }).toEqual({ taken: cap, served: honest });
    });
});

test("a crowd behind one address gets what an address has, and reads why the next one does not", async () => {
  const address = "203.0.113.99";
  const cap = Math.floor((orders * networkShares.address) / 100);
  const member = async () => {
    const visitor = await newVisitorInFlow(servers.app.url);
    Object.assign(visitor.options, { address, fingerprint: `member-${Math.random().toString(36).slice(2)}` });
    return visitor;
  };
  for (let n = 0; n < cap; n += 1) expect((await (await member()).like()).status).toBe(200);
  const late = await member();
  expect((await late.get("/api/instagram/status")).body).toMatchObject({
    canRequest: false,
    reason: "address_cap",
  });
  const answer = await late.like();
  expect(answer).toMatchObject({
    status: 429,
    body: { message: "Too many requests came from your network today. Please try again later." },
  });
  expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(3_600);
});
