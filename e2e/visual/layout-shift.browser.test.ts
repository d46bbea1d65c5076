import type { Page } from "@playwright/test";
import { indexablePages } from "@/lib/http/pages";
import { openScreen, type Screen } from "../pages/screens";
import { startScreens, type ScreenFixture } from "@/testing/browser/screen-fixture";
import { expect, test, useServers } from "@/testing/test";

/* Fonts and responses that arrive late, as on a phone with a slow network. */

test.describe.configure({ mode: "parallel" });

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

/** Returns the layout shift of a page and its loaded fonts, after its fonts have arrived. */
async function openWithLateFonts(page: Page, path: string) {
  const response = page.waitForResponse(/\.woff2$/);
  await page.goto(servers.app.url + path);
  await response;
  return page.evaluate(async () => {
    await document.fonts.ready;
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const loaded = [...document.fonts].filter(({ status }) => status === "loaded");
    return { shift: window.shift, fonts: loaded.map(({ family, display }) => `${family}, ${display}`) };
  });
}

test("late fonts move nothing, on any page for search engines", async ({ open }) => {
  const shifts: Record<string, number> = {};
  await Promise.all(
    [360, 390, 768, 1280].map(async (width) => {
      const { page } = await open(undefined, { viewport: { width, height: 780 } });
      await page.addInitScript(recordShifts);
      // The route also switches the browser's cache off.
      await page.route("**/*.woff2", async (route) => {
        await new Promise((resolve) => setTimeout(resolve, 400));
        await route.continue();
      });
      for (const { path } of indexablePages) {
        const { shift, fonts } = await openWithLateFonts(page, path);
        shifts[`${path} at ${width}`] = shift;
        expect(fonts).toContainEqual(expect.stringMatching(/^"?Bricolage Grotesque"?, swap$/));
      }
    }),
  );
  expect(Object.keys(shifts)).toHaveLength(44);
  // A number before a heading can change its width by a part of a pixel. A shift of a line is at least ten times as much.
  expect(Object.entries(shifts).filter(([, shift]) => shift > 0.001)).toEqual([]);
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

test.describe("late responses move nothing", () => {
  let fixture: ScreenFixture;
  test.beforeAll(async () => {
    fixture = await startScreens({ prepare: respondLate });
  });
  test.afterEach(() => fixture.clear());
  test.afterAll(() => fixture?.stop());

  for (const [width, height] of Object.entries({ 360: 640, 1280: 800 }))
    for (const name of names)
      test(`${name}, at ${width} px`, async ({ open }) => {
        const viewport = { width: Number(width), height };
        fixture.openWith((url, options) => open(url, { ...options, viewport }));
        const page = await openScreen(fixture, name);
        await page.waitForTimeout(150);
        expect(await page.evaluate(() => window.shift)).toBeLessThan(0.02);
      });
});
