import { describeStatus } from "./describe-status";

const free = { now: 0, cooldownUntil: null, dailyCapUntil: null, addressCapUntil: null, pacedUntil: null };

it("names the pace of the day only if no limit blocks the visitor", () => {
  const paced = { ...free, pacedUntil: 9_000, pending: false };
  expect(describeStatus(paced)).toMatchObject({ reason: "paced", timeLeft: { seconds: 9 } });
  expect(describeStatus({ ...paced, cooldownUntil: 5_000 })).toMatchObject({ reason: "cooldown" });
  expect(describeStatus({ ...paced, pending: true })).toMatchObject({ canRequest: true, reason: null });
});
