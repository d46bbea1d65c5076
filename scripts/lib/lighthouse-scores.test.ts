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
    "largest-contentful-paint": { numericValue: 900 },
    "cumulative-layout-shift": { numericValue: 0 },
    "total-blocking-time": { numericValue: 0 },
    "total-byte-weight": { numericValue: 80_000 },
  },
};
const scores = { performance: 100, accessibility: 100, bestPractices: 100, seo: 100 };
const perfect = { ...scores, lcp: 900, cls: 0, tbt: 0, bytes: 80_000, machine: 2_000 };

it("reads a report, and counts a missing score as 0", () => {
  expect(readScores(report)).toEqual({ ...perfect, performance: 99, bestPractices: 0 });
});

it("throws if the page did not load", () => {
  const broken = { ...report, runtimeError: { code: "NO_FCP", message: "The page did not paint." } };
  expect(() => readScores(broken)).toThrow("did not paint");
});

it("takes the median of each figure, and the worse middle value of an even number of runs", () => {
  const runs = [90, 100, 95].map((performance, index) => ({ ...perfect, performance, tbt: index * 10 }));
  expect(medianScores(runs)).toMatchObject({ performance: 95, tbt: 10 });
  expect(medianScores(runs.slice(0, 2))).toMatchObject({ performance: 90, tbt: 10 });
});

it("lists each missed target", () => {
  expect(missedTargets({ ...perfect, lcp: 1_600, tbt: 49.9 })).toEqual([]);
  const missedScores = { performance: 99, accessibility: 98, bestPractices: 97, seo: 96 };
  expect(missedTargets({ ...perfect, ...missedScores, lcp: 1_601, cls: 0.001, tbt: 50 })).toEqual([
    "performance 99 of 100",
    "accessibility 98 of 100",
    "best practices 97 of 100",
    "SEO 96 of 100",
    "LCP 1601 ms instead of at most 1600",
    "CLS 0.001 instead of 0",
    "TBT 50 ms instead of less than 50",
  ]);
});
