import { medianScores, missedTargets, readScores } from "./lighthouse-scores";

const report = {
  environment: { benchmarkIndex: 2_000 },
  categories: {
    performance: { score: 0.994 },
    accessibility: { score: 1 },
    "best-practices": { score: null },
    seo: { score: 1 },
  },
  audits: {
    "largest-contentful-paint": { numericValue: 1_601 },
    "cumulative-layout-shift": { numericValue: 0.001 },
    "total-blocking-time": { numericValue: 50 },
    "total-byte-weight": { numericValue: 80_000 },
  },
};
const scores = { performance: 100, accessibility: 100, bestPractices: 100, seo: 100 };
const perfect = { ...scores, lcp: 1_600, cls: 0, tbt: 49.9, bytes: 80_000, machine: 2_000 };

it("reads a report, counts a missing score as 0, and lists each missed target", () => {
  expect(missedTargets(readScores(report))).toEqual([
    "performance 99 of 100",
    "best practices 0 of 100",
    "LCP 1601 ms instead of at most 1600",
    "CLS 0.001 instead of 0",
    "TBT 50 ms instead of less than 50",
  ]);
  expect(missedTargets(perfect)).toEqual([]);
});

it("throws if the page did not load", () => {
  const broken = { ...report, runtimeError: { code: "NO_FCP", message: "The page did not paint." } };
  expect(() => readScores(broken)).toThrow("did not paint");
});

it("takes the median of each figure", () => {
  const runs = [90, 100, 95].map((performance, index) => ({ ...perfect, performance, tbt: index * 10 }));
  expect(medianScores(runs)).toEqual({ ...perfect, performance: 95, tbt: 10 });
});
