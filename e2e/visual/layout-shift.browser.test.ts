import type { Page } from "@playwright/test";
import { indexablePages, pages } from "@/lib/http/pages";
import { goToScreen, screens, type Screen } from "../pages/screens";
import { ScreenFixture } from "@/testing/browser/screen-fixture";
import { readVisible } from "@/testing/browser/visible";
import { expect, test, useServers, type Open } from "@/testing/test";

/* Fonts and responses that arrive late, as on a phone with a slow network. */

test.describe.configure({ mode: "parallel", timeout: 300_000 });

const servers = useServers();

declare global {
  interface Window {
    /** Cumulative layout shift of the page. */
    shift: number;
  }
}

/** Runs in the page. */
function recordShifts(): void {
  window.shift = 0;
  type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean };
  new PerformanceObserver((list) => {
    for (const shift of list.getEntries() as Shift[]) if (!shift.hadRecentInput) window.shift += shift.value;
  }).observe({ type: "layout-shift", buffered: true });
}

/** Opens a blank page in which each font arrives after a delay. The route also switches the browser's cache off. */
async function openWithLateFonts(open: Open, delayMs: number, width = 360): Promise<Page> {
  const { page } = await open(undefined, { viewport: { width, height: 780 } });
  await page.addInitScript(recordShifts);
  await page.route("**/*.woff2", async (route) => {
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    await route.continue();
  });
  return page;
}

async function goTo(page: Page, path: string): Promise<void> {
  const response = page.waitForResponse(/\.woff2$/);
  await page.goto(servers.app.url + path);
  await response;
  await page.evaluate(async () => {
    await document.fonts.ready;
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  });
}

/** Returns whether the browser shows the first element in a font of the site. */
async function usesSiteFont(page: Page, selector: string): Promise<boolean> {
  const session = await page.context().newCDPSession(page);
  await session.send("DOM.enable");
  await session.send("CSS.enable");
  const { root } = await session.send("DOM.getDocument");
  const { nodeId } = await session.send("DOM.querySelector", { nodeId: root.nodeId, selector });
  const { fonts } = await session.send("CSS.getPlatformFontsForNode", { nodeId });
  expect(fonts.length).toBeGreaterThan(0);
  return fonts.every(({ isCustomFont }) => isCustomFont);
}

test("late fonts move nothing, on any page for search engines", async ({ open }) => {
  const shifts: Record<string, number> = {};
  await Promise.all(
    [360, 390, 768, 1280].map(async (width) => {
      const page = await openWithLateFonts(open, 400, width);
      for (const { path } of indexablePages) {
        await goTo(page, path);
        shifts[`${path} at ${width}`] = await page.evaluate(() => window.shift);
      }
    }),
  );
  expect(Object.keys(shifts)).toHaveLength(44);
  // A number before a heading can change its width by a part of a pixel. A shift of a line is at least ten times as much.
  expect(Object.entries(shifts).filter(([, shift]) => shift > 0.001)).toEqual([]);
});

test("headings change to their font when it arrives, texts with the next page", async ({ open }) => {
  const page = await openWithLateFonts(open, 2_000);
  await goTo(page, pages.home.path);
  await expect.poll(() => usesSiteFont(page, "h1")).toBe(true);
  expect(await usesSiteFont(page, "#lead")).toBe(false);
  await page.unrouteAll();
  // On a busy machine, the font can be too late even from the cache.
  await expect(async () => {
    await page.reload();
    expect(await usesSiteFont(page, "#lead")).toBe(true);
  }).toPass();
});

/** Screens whose state a response changes. */
const names = Object.entries({
  home: ["more than 95 % used", "limit reached", "usage unknown", "human check passed"],
  verification: ["error", "status unknown", "verified", "not checked", "rate limited", "paced"],
  "get-likes": ["post not loaded", "ready", "daily limit reached", "refused", "pending"],
  success: ["receipt not loaded", "boosting another post"],
  preview: ["post not loaded", "post", "limited", "refused", "limit", "success"],
  "private-account-error": ["no such post"],
  contact: ["sent"],
  cookies: ["asked"],
}).flatMap(([page, states]) => states.map((state) => `${page}: ${state}` as Screen));

/** Delays responses. Browsers excuse shifts within half a second after an input. */
async function respondLate(page: Page): Promise<void> {
  await page.addInitScript(recordShifts);
  await page.route("**/api/**", async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 600));
    await route.fallback();
  });
}

for (const [width, height] of Object.entries({ 360: 640, 390: 844, 768: 1_024, 1280: 800 }))
  test(`late responses move nothing at ${width} px`, async ({ browser }) => {
    const viewport = { width: Number(width), height };
    const fixture = await ScreenFixture.start(browser, { viewport, prepare: respondLate });
    const moving: [Screen, number][] = [];
    for (const name of names) {
      const { page, root } = await goToScreen(fixture, name);
      await expect(async () => {
        const { text } = await readVisible(root);
        for (const expected of screens[name].says ?? []) expect(text).toContain(expected);
      }).toPass({ intervals: [100], timeout: 15_000 });
      await page.waitForTimeout(150);
      const shift = await page.evaluate(() => window.shift);
      if (shift > 0.02) moving.push([name, shift]);
      await fixture.clear();
    }
    await fixture.stop();
    expect(moving).toEqual([]);
  });
