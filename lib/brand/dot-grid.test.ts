import { countFilledDots, dotsPath, dotGrid } from "./dot-grid";
import { limits } from "@/lib/config/limits";

const countDots = (path: string) => path.split("h0").length - 1;

it("has one dot for each like of a request", () => {
  expect(dotGrid.dots).toBe(limits.likesPerRequest);
});

it.each([
  [0, 0],
  [1.9, 0],
  [2, 1],
  [97.9, 48],
  [98, 49],
  [99.9, 49],
  [100, 50],
  [120, 50],
  [-1, 0],
])("shows %d %% as %d filled dots", (percent, dots) => {
  expect(countFilledDots(percent, 100)).toBe(dots);
});

it("fills one dot every 4.8 minutes of a cooldown", () => {
  const whole = limits.cooldownSeconds;
  const gains = [];
  for (let second = 1; second <= whole; second += 1) {
    if (countFilledDots(second, whole) > countFilledDots(second - 1, whole)) gains.push(second);
  }
  expect(gains).toEqual(Array.from({ length: 50 }, (_, index) => (index + 1) * 288));
  expect(countFilledDots(whole / 2, whole)).toBe(25);
});

it("draws dots in reading order, ten per row", () => {
  expect(dotsPath(8, 12)).toBe("M68 4h0m8 0h0M4 12h0m8 0h0");
  expect(dotsPath(49, 50)).toBe("M76 36h0");
  expect([dotsPath(0, 50), dotsPath(0, 49), dotsPath(49, 50), dotsPath(50, 50)].map(countDots)).toEqual([
    50, 49, 1, 0,
  ]);
});
