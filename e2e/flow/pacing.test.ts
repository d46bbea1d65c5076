import { expect, test, useServers } from "@/testing/test";
import { newVisitorInFlow } from "@/testing/visitor-in-flow";

/* Three orders a day. The first one is more than the quarter of the pace for addresses that had an order. */
const servers = useServers({ env: { DAILY_PACING: "on", DAILY_LIKE_LIMIT: "150" } });

test("refuses an address that had an order until the next day, and serves another address", async () => {
  const [first, second, other] = await Promise.all([1, 2, 3].map(() => newVisitorInFlow(servers.app.url)));
  Object.assign(second!.options, { address: first!.options.address, fingerprint: "second" });
  expect((await first!.like()).status).toBe(200);

  const { body: usage } = await first!.get("/api/instagram/daily-usage");
  const { resetsAt } = usage.dailyLimit as { resetsAt: string };
  const response = await second!.like();
  expect(response).toMatchObject({ status: 429, body: { code: "paced", nextLikesAt: resetsAt } });
  const secondsLeft = (Date.parse(resetsAt) - Date.now()) / 1_000;
  expect(Math.abs(Number(response.headers.get("retry-after")) - secondsLeft)).toBeLessThan(10);
  const { body: status } = await second!.get("/api/instagram/status");
  expect(status).toMatchObject({ canRequest: false, reason: "paced", nextAvailable: resetsAt });

  expect((await other!.get("/api/instagram/status")).body).toMatchObject({ canRequest: true });
  const served = await other!.like();
  expect(served).toMatchObject({ status: 200, body: { dailyLimit: { likesRemaining: 50, reached: false } } });
});
