import { createLocalCounter } from "./local-counter";

it("counts each name on its own, and anew in every window", () => {
  let now = 0;
  const count = createLocalCounter(60, { now: () => now });
  expect([count("a"), count("a"), count("b")]).toEqual([1, 2, 1]);
  now = 59_999;
  expect(count("a")).toBe(3);
  now = 60_000;
  expect([count("a"), count("b")]).toEqual([1, 1]);
});

it("keeps no more names than it has room for, and knows those it keeps", () => {
  const count = createLocalCounter(60, { most: 2, now: () => 0 });
  expect([count("a"), count("b"), count("c"), count("a"), count("c")]).toEqual([1, 1, Infinity, 2, Infinity]);
});
