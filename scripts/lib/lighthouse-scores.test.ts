import { medianScores, missedTargets, readScores, type PageScores } from "./lighthouse-scores";

const perfect: PageScores = {
  performance: 100,
  accessibility: 100,
  bestPractices: 100,
  seo: 100,
  lcp: 900,
  cls: 0,
  tbt: 0,
  bytes: 80_000,
  machine: 2_000,
};

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

it("reads a report, and takes a score that was not given for none", () => {
  expect(readScores(report)).toEqual({ ...perfect, performance: 99, bestPractices: 0 });
});

it("does not take a page for judged that did not load", () => {
  const broken = { ...report, runtimeError: { code: "NO_FCP", message: "The page did not paint." } };
  expect(() => readScores(broken)).toThrow("did not paint");
});

it("takes the middle of each figure, and of an even number of runs the worse", () => {
  const runs = [90, 100, 95].map((performance, index) => ({ ...perfect, performance, tbt: index * 10 }));
  expect(medianScores(runs)).toMatchObject({ performance: 95, tbt: 10 });
  expect(medianScores(runs.slice(0, 2))).toMatchObject({ performance: 90, tbt: 10 });
});

it("names every target that is missed, and by how much", () => {
  expect(missedTargets({ ...perfect, lcp: 1_600, tbt: 49.9 })).toEqual([]);
  expect(
    missedTargets({
      ...perfect,
      performance: 99,
      accessibility: 98,
      bestPractices: 97,
      seo: 96,
      lcp: 1_601,
      cls: 0.001,
      tbt: 50,
    }),
  ).toEqual([
    "performance 99 of 100",
    "accessibility 98 of 100",
    "best practices 97 of 100",
    "SEO 96 of 100",
    "LCP 1601 ms instead of at most 1600",
    "CLS 0.001 instead of 0",
    "TBT 50 ms instead of less than 50",
  ]);
});
