import { dotsPath, dotGrid } from "./dot-grid";
import { limits } from "@/lib/config/limits";

const countDots = (path: string) => path.split("h0").length - 1;

it("has one dot for each like of a request", () => {
  expect(dotGrid.dots).toBe(limits.likesPerRequest);
});

it("draws dots in reading order, ten per row", () => {
  expect(dotsPath(8, 12)).toBe("M68 4h0m8 0h0M4 12h0m8 0h0");
  expect(dotsPath(49, 50)).toBe("M76 36h0");
  expect([dotsPath(0, 50), dotsPath(0, 49), dotsPath(49, 50), dotsPath(50, 50)].map(countDots)).toEqual([
    50, 49, 1, 0,
  ]);
});
