import { createLocalCounter } from "./rate-limits";

it("counts each name separately and restarts in every window", () => {
  let now = 0;
  const count = createLocalCounter(60, { now: () => now });
  expect([count("a"), count("a"), count("b")]).toEqual([1, 2, 1]);
  now = 59_999;
  expect(count("a")).toBe(3);
  now = 60_000;
  expect([count("a"), count("b")]).toEqual([1, 1]);
});

it("returns Infinity for new names once the counter is full, and still counts the stored names", () => {
  const count = createLocalCounter(60, { maxNames: 2, now: () => 0 });
  expect([count("a"), count("b"), count("c"), count("a"), count("c")]).toEqual([1, 1, Infinity, 2, Infinity]);
});
