import { expect, test, useServers, type Open } from "../support/test";
import type { Page } from "@playwright/test";
import { indexablePages, pages } from "@/lib/http/pages";

/* The site's typefaces: when they come late, as on a phone with a slow network, and what stands in for them. */

const servers = useServers();

declare global {
  interface Window {
    /** How far the page's parts moved by themselves, as browsers count it (cumulative layout shift). */
    shift: number;
  }
}

function countShifts(): void {
  window.shift = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      window.shift += (entry as PerformanceEntry & { value: number }).value;
  }).observe({ type: "layout-shift", buffered: true });
}

/** A window of a visitor who was never here, to whom each typeface comes too late by so much. */
async function openLate(open: Open, path: string, lateMs: number): Promise<Page> {
  const { page } = await open(undefined, { viewport: { width: 360, height: 780 } });
  await page.addInitScript(countShifts);
  await page.route("**/*.woff2", async (route) => {
    await new Promise((resolve) => setTimeout(resolve, lateMs));
    await route.continue();
  });
  const came = page.waitForResponse(/\.woff2$/);
  await page.goto(servers.app.url + path);
  await came;
  await page.evaluate(() => document.fonts.ready);
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
  return page;
}

/** Whether an element is written in a typeface that was downloaded. */
async function isInOurs(page: Page, selector: string): Promise<boolean> {
  const session = await page.context().newCDPSession(page);
  await session.send("DOM.enable");
  await session.send("CSS.enable");
  const { root } = await session.send("DOM.getDocument");
  const { nodeId } = await session.send("DOM.querySelector", { nodeId: root.nodeId, selector });
  const { fonts } = await session.send("CSS.getPlatformFontsForNode", { nodeId });
  expect(fonts.length).toBeGreaterThan(0);
  return fonts.every(({ isCustomFont }) => isCustomFont);
}

test("move nothing when they come late, on any page for search engines", async ({ open }) => {
  const shifts: Record<string, number> = {};
  for (const { path } of indexablePages) {
    const page = await openLate(open, path, 400);
    shifts[path] = await page.evaluate(() => window.shift);
    await page.context().close();
  }
  expect(Object.keys(shifts)).toHaveLength(11);
  expect(Object.entries(shifts).filter(([, shift]) => shift > 0)).toEqual([]);
});

test("leave the page that they come too late for as it is, and are there for the next ones", async ({
  open,
}) => {
  const page = await openLate(open, pages.home.path, 2_000);
  expect(await isInOurs(page, "h1")).toBe(false);
  await page.unrouteAll();
  const isShown: boolean[] = [];
  for (const { path } of [pages.howItWorks, pages.faq, pages.testimonials]) {
    await page.goto(servers.app.url + path);
    isShown.push((await isInOurs(page, "h1")) && (await isInOurs(page, "main p")));
  }
  // A machine that is busy may be too late with a page, from its own cache as well.
  expect(isShown).toContain(true);
});

test("bring accented letters and rare signs where there are some, and only there", async ({ open }) => {
  const asked: string[] = [];
  const { page } = await open();
  page.on("request", (request) => asked.push(request.url()));
  await page.goto(servers.app.url + pages.howItWorks.path);
  await page.evaluate(() => document.fonts.ready);
  expect(asked.filter((url) => url.includes("accents"))).toEqual([]);
  const came = [/inter[^/]*accents/, /bricolage[^/]*accents/].map((name) => page.waitForResponse(name));
  await page.locator("h1").evaluate((element) => (element.textContent = "Zoë & Łukasz’ Œuvre für 3 €"));
  await page
    .locator("main p")
    .first()
    .evaluate((element) => (element.textContent = "çñøß"));
  await Promise.all(came);
  await page.evaluate(() => document.fonts.ready);
  expect(asked.filter((url) => url.includes("accents"))).toHaveLength(2);
  expect(await isInOurs(page, "main p")).toBe(true);
});
