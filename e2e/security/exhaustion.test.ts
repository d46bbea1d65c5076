import { networkShares } from "@/lib/config/limits";
import { altchaDifficulty, maxWorkFactor } from "@/lib/config/captcha-difficulty";
import { attacks, drain, normalTries } from "../support/drain";
import { useRig } from "../support/rig";
import { Visitor } from "../support/visitor";
import { newVisitorInFlow } from "../support/visitor-in-flow";

/* What one person can take of a day, with a tenth of the day. */

const orders = 200;
const honest = 10;
const rig = useRig({ env: { DAILY_LIKE_LIMIT: String(orders * 50), ALTCHA_COST: "1" } });

beforeEach(() => rig.store.flushall());

describe("with every check solved and a new fingerprint each time", () => {
  it.each(attacks.filter(({ network }) => network !== null))(
    "$name gets its share of the day, and everybody else is served",
    async (attack) => {
      const { orders: taken, tries, served } = await drain(rig.app.url, attack, honest);
      const cap = Math.floor((orders * networkShares[attack.network ?? "address"]) / 100);
      expect({ taken, served }).toEqual({ taken: cap, served: honest });
      // The second quarter costs twice the work, the third three times, the last four. Of few orders, many were begun before.
      if (cap < 24) return;
      const grown = tries / taken / normalTries;
      expect(grown).toBeGreaterThan(1.2);
      expect(grown).toBeLessThan(4);
    },
  );
});

it("a crowd behind one address gets what an address has, and reads why the next one does not", async () => {
  const address = "203.0.113.99";
  const cap = Math.floor((orders * networkShares.address) / 100);
  const member = async () => {
    const visitor = await newVisitorInFlow(rig.app.url);
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

it("a check that was begun at the normal price counts when the price has risen since", async () => {
  const cap = Math.floor((orders * networkShares.address) / 100);
  const early = new Visitor(rig.app.url, { address: "203.0.113.150", fingerprint: "early" });
  const token = await early.solveCaptcha();
  for (let n = 0; n < cap; n += 1) {
    const visitor = await newVisitorInFlow(rig.app.url);
    Object.assign(visitor.options, { address: "203.0.113.150", fingerprint: `n-${n}` });
    expect((await visitor.like()).status).toBe(200);
  }
  expect((await early.get("/api/recaptcha/challenge")).body).toMatchObject({
    parameters: { data: { work: maxWorkFactor, tries: maxWorkFactor * altchaDifficulty.tries } },
  });
  expect((await early.post("/api/recaptcha/verify", { token })).status).toBe(200);
});
