import type { Page } from "@playwright/test";
import { indexablePages } from "@/lib/http/pages";
import { openScreen, screenNames } from "../pages/screens";
import * as late from "../pages/screens/late-responses";
import { startScreens, type ScreenFixture } from "@/testing/browser/screen-fixture";
import { expect, test, useServers } from "@/testing/test";

/* Fonts and responses that arrive late, as on a phone with a slow network. */

test.describe.configure({ mode: "parallel" });

const servers = useServers();

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
    [360, 768, 1280].map(async (width) => {
      const { page } = await open(undefined, { viewport: { width, height: 780 } });
      await page.addInitScript(late.recordShifts);
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
  expect(Object.keys(shifts)).toHaveLength(33);
  // A number before a heading can change its width by a part of a pixel. A shift of a line is at least ten times as much.
  expect(Object.entries(shifts).filter(([, shift]) => shift > 0.001)).toEqual([]);
});

test.describe("late responses move nothing", () => {
  let fixture: ScreenFixture;
  test.beforeAll(async () => {
    fixture = await startScreens({ prepare: late.respondLate, viewport: { width: 1280, height: 800 } });
  });
  test.beforeEach(({ open }) => fixture.openWith(open));
  test.afterEach(() => fixture.clear());
  test.afterAll(() => fixture?.stop());

  // screens.browser.test.ts checks all pages on a phone. Only these pages have another order of their parts on a desktop.
  const wide = /^home: (?:more|limit|usage)|^preview: (?:post|limit|refused|success)|^cookies: asked/;
  for (const name of screenNames.filter((each) => wide.test(each)))
    test(`${name}, at 1280 px`, async () => late.expectNoShift(await openScreen(fixture, name)));
});
