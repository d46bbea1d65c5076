import { describeTimeLeft, formatTimeLeft, splitTime } from "./countdown";

it.each([
  [14_400_000, "04:00:00"],
  [14_399_001, "04:00:00"],
  [3_661_000, "01:01:01"],
  [1, "00:00:01"],
  [0, "00:00:00"],
  [-5_000, "00:00:00"],
])("shows %i ms as %s", (milliseconds, expected) => {
  expect(formatTimeLeft(splitTime(milliseconds))).toBe(expected);
});

it.each([
  [14_400_000, "4 hours"],
  [3_660_000, "1 hour 1 minute"],
  [3_900_000, "1 hour 5 minutes"],
  [7_260_000, "2 hours 1 minute"],
  [59_000, "less than a minute"],
])("describes %i ms as %s", (milliseconds, expected) => {
  expect(describeTimeLeft(splitTime(milliseconds))).toBe(expected);
});
