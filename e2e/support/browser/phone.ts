import { readFileSync } from "node:fs";
import type { Browser } from "@playwright/test";

/*
 * The phone of measurements. Browsers' tools and Lighthouse slow a processor down by a factor, so that their phone is as fast
 * as the machine that measures. Here it is the same phone on every machine: so many times slower than a desktop whose
 * index is 2,700, by the benchmark that Lighthouse has for this (`environment.benchmarkIndex` in its reports).
 */

const desktopIndex = 2_700;

/** Lighthouse's function for it, which it sends into pages as text, too. */
const [benchmark] =
  /^function computeBenchmarkIndex\(\) \{$.*?^\}$/ms.exec(
    readFileSync(require.resolve("lighthouse/core/lib/page-functions.js"), "utf8"),
  ) ?? [];

/** How fast the machine is in this moment, for one page; the mean of two halves of a second. */
export async function machineIndex(browser: Browser): Promise<number> {
  if (!benchmark) throw new Error("Lighthouse has its benchmark elsewhere now.");
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    return await page.evaluate<number>(`(${benchmark})()`);
  } finally {
    await context.close();
  }
}

/**
 * By what a machine is slowed down to be that phone.
 *
 * @param times how many times slower than the desktop the phone is
 * @param index the machine's own
 * @returns 1 where the machine is slower than the phone by itself
 */
export function slowdown(times: number, index: number): number {
  return Math.max(1, (times * index) / desktopIndex);
}
