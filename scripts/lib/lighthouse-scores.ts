import { z } from "zod";

const audit = z.object({ numericValue: z.number() });
const category = z.object({ score: z.number().nullable() });

/** What is read of a report of Lighthouse, which has hundreds of fields. */
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

/** How a page did: of one run, or the middle of several. */
export interface PageScores {
  /** Of 100, as the next four. */
  performance: number;
  accessibility: number;
  bestPractices: number;
  seo: number;
  /** Largest contentful paint, in milliseconds. */
  lcp: number;
  /** Cumulative layout shift, without unit. */
  cls: number;
  /** Total blocking time, in milliseconds. */
  tbt: number;
  bytes: number;
  /** How fast the machine was in that moment, by Lighthouse's own benchmark: small figures spoil LCP and TBT. */
  machine: number;
}

/** Reads a run's report, as parsed from JSON; throws when Lighthouse could not judge the page. */
export function readScores(json: unknown): PageScores {
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
    machine: environment.benchmarkIndex,
  };
}

/** The middle of each figure by itself; of an even number of runs the worse of the two. */
export function medianScores(runs: PageScores[]): PageScores {
  const [first] = runs;
  if (!first) throw new Error("There are no runs to take the median of.");
  const names = Object.keys(first) as (keyof PageScores)[];
  const middle = (name: keyof PageScores) => {
    const moreIsBetter = !["lcp", "cls", "tbt", "bytes"].includes(name);
    const values = runs.map((run) => run[name]).sort((a, b) => (moreIsBetter ? b - a : a - b));
    return values[Math.floor(values.length / 2)];
  };
  return Object.fromEntries(names.map((name) => [name, middle(name)])) as unknown as PageScores;
}

/** What of the target a page misses, each in words; nothing when it is met: all scores 100, LCP at most 1.6 s, CLS 0, TBT below 50 ms. */
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
