import { z } from "zod";

const audit = z.object({ numericValue: z.number() });
const category = z.object({ score: z.number().nullable() });

/** The fields of a Lighthouse report that this module reads. */
const report = z.object({
  runtimeError: z.object({ message: z.string() }).optional(),
  environment: z.object({ benchmarkIndex: z.number() }),
  categories: z.object({
    performance: category,
    accessibility: category,
    "best-practices": category,
    seo: category,
  }),
  audits: z.object({
    "largest-contentful-paint": audit,
    "cumulative-layout-shift": audit,
    "total-blocking-time": audit,
    "total-byte-weight": audit,
  }),
});

/** Figures of a page: four scores of at most 100, LCP and TBT in milliseconds, CLS, and transferred bytes. */
export type PageScores = ReturnType<typeof readScores>;

/** Reads the parsed report of one run. Throws if Lighthouse could not load the page. */
export function readScores(json: unknown) {
  const { runtimeError, environment, categories, audits } = report.parse(json);
  if (runtimeError) throw new Error(runtimeError.message);
  const score = ({ score }: { score: number | null }) => Math.round((score ?? 0) * 100);
  return {
    performance: score(categories.performance),
    accessibility: score(categories.accessibility),
    bestPractices: score(categories["best-practices"]),
    seo: score(categories.seo),
    lcp: audits["largest-contentful-paint"].numericValue,
    cls: audits["cumulative-layout-shift"].numericValue,
    tbt: audits["total-blocking-time"].numericValue,
    bytes: audits["total-byte-weight"].numericValue,
    /** The speed of the machine during the run, measured by Lighthouse. A slow machine spoils LCP and TBT. */
    machine: environment.benchmarkIndex,
  };
}

/** Returns the median of each figure. With an even number of runs, takes the lower of the two middle values. */
export function medianScores(runs: PageScores[]): PageScores {
  const middle = (name: string) => {
    const values = runs.map((run) => run[name as keyof PageScores]).sort((a, b) => a - b);
    return [name, values[Math.floor((values.length - 1) / 2)]];
  };
  return Object.fromEntries(Object.keys(runs[0] ?? {}).map(middle)) as PageScores;
}

/** Returns a text for each missed target. The targets: all scores 100, LCP at most 1.6 s, CLS 0, TBT below 50 ms. */
export function missedTargets(page: PageScores): string[] {
  const { performance, accessibility, bestPractices, seo, lcp, cls, tbt } = page;
  const scores = { performance, accessibility, "best practices": bestPractices, SEO: seo };
  return [
    ...Object.entries(scores).flatMap(([name, score]) => (score < 100 ? [`${name} ${score} of 100`] : [])),
    ...(lcp > 1_600 ? [`LCP ${Math.round(lcp)} ms instead of at most 1600`] : []),
    ...(cls > 0 ? [`CLS ${cls.toFixed(3)} instead of 0`] : []),
    ...(tbt >= 50 ? [`TBT ${Math.round(tbt)} ms instead of less than 50`] : []),
  ];
}
