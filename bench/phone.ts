import { readFileSync } from "node:fs";
import type { Browser } from "@playwright/test";

/*
 * Browsers and Lighthouse slow down a processor by a fixed factor, so the result depends on the machine. These functions
 * return a factor for the same slow phone on every machine.
 */

/** Lighthouse's `environment.benchmarkIndex` of a desktop. */
const desktopIndex = 2_700;

/** Source of Lighthouse's benchmark, which runs in a page. */
const [benchmark] =
  /^function computeBenchmarkIndex\(\) \{$.*?^\}$/ms.exec(
    readFileSync(require.resolve("lighthouse/core/lib/page-functions.js"), "utf8"),
  ) ?? [];

/** Runs Lighthouse's benchmark for a second. Returns the index. */
export async function machineIndex(browser: Browser): Promise<number> {
  if (!benchmark) throw new Error("Lighthouse no longer has its benchmark in page-functions.js.");
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    return await page.evaluate<number>(`(${benchmark})()`);
  } finally {
    await context.close();
  }
}

/**
 * Returns the factor by which to slow down a machine with this index. The factor is 1 on a machine slower than the phone.
 *
 * @param times the phone is so many times slower than the desktop
 */
export function slowdown(times: number, index: number): number {
  return Math.max(1, (times * index) / desktopIndex);
}
