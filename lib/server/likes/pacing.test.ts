import { testTransports } from "@/testing/test-transports";
import { createLedger } from "./ledger";
import { ledgerScripts } from "./ledger-scripts";
import { newRequest, policy, testClockKey, withTestClock } from "@/testing/ledger/test-orders";

/* A tenth of a day: robots at 100 scattered addresses try all day, and 20 visitors arrive evenly. */

const [robots, visitors, dayMs] = [100, 20, 86_400_000];
const tenth = { ...policy, dailyLikeLimit: 10_000, maxRequestsPerAddressPerDay: 6 };

/**
 * Returns how many of the visitors get their only request accepted. Before each visitor, the robots order as much as the
 * ledger allows: each robot that had no order tries `ordersAtOnce` times, and then all robots in turn.
 */
async function countServed(pacing: boolean, ordersAtOnce: number): Promise<number> {
  const { redis, stop } = await testTransports[0]!.start();
  const ledger = createLedger(redis, { ...tenth, pacing }, withTestClock(ledgerScripts));
  const isServed = async (addressHash?: string) =>
    (await ledger.reserve(newRequest({ addressHash }))).kind === "leased";
  let [served, used, turn] = [0, 0, 0];

  for (let n = 0; n < visitors; n += 1) {
    await redis.set(testClockKey, 20_000 * dayMs + (n * dayMs) / visitors);
    // The ledger learns the new time.
    await ledger.dailyUsage();
    while (used < robots && (await isServed(`robot ${used}`))) {
      for (let more = 1; more < ordersAtOnce && (await isServed(`robot ${used}`)); more += 1);
      used += 1;
    }
    while (used === robots && (await isServed(`robot ${turn % robots}`))) turn += 1;
    if (await isServed()) served += 1;
  }
  await stop();
  return served;
}

it.each([1, 6])(
  "serves every visitor on a paced day (orders of a robot at once: %i)",
  async (ordersAtOnce) => {
    expect(await countServed(true, ordersAtOnce)).toBe(visitors);
  },
  60_000,
);

it("serves no visitor on a day without a pace", async () => {
  expect(await countServed(false, 1)).toBe(0);
});
