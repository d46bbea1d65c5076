import { expect, type Page } from "@playwright/test";

declare global {
  interface Window {
    /** Cumulative layout shift of the page. */
    shift: number;
  }
}

/** Adds up the layout shifts in `window.shift`. Runs in the page. */
export function recordShifts(): void {
  window.shift = 0;
  type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean };
  new PerformanceObserver((list) => {
    for (const shift of list.getEntries() as Shift[]) if (!shift.hadRecentInput) window.shift += shift.value;
  }).observe({ type: "layout-shift", buffered: true });
}

/** Screens with a message or panel that appears above other content, and parts of the Help Center. */
export const moving = /^home: (?:in a|sent|human check (?:failed|rej))|: failed$|^faq/;

/** Delays responses. Browsers excuse shifts within half a second after an input. */
export async function respondLate(page: Page): Promise<void> {
  await page.addInitScript(recordShifts);
  await page.route("**/api/**", async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 600));
    await route.fallback();
  });
}

/** Expects that nothing moved since `respondLate`. */
export async function expectNoShift(page: Page): Promise<void> {
  await page.waitForTimeout(150);
  expect(await page.evaluate(() => window.shift)).toBeLessThan(0.02);
}
