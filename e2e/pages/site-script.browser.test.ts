import { expect, test, useServers, type Open } from "../support/test";
import type { Page } from "@playwright/test";
import { faqGroups } from "@/lib/content/faq";
import { formatDay } from "@/lib/content/site";
import { legacyPaths } from "@/lib/http/pages";
import { tabTo } from "../support/browser/flow-pages";

const servers = useServers();

const [about, technical, limits, safety] = faqGroups;
const titles = faqGroups.map(({ title }) => title);
const tab = (page: Page, name = "") => page.getByRole("tab", { name });
const selected = (page: Page) => page.getByRole("tab", { selected: true }).allInnerTexts();
const headings = (page: Page) =>
  page.getByRole("heading", { level: 2, name: new RegExp(titles.join("|")) }).allInnerTexts();

test.describe("the tabs of the Help Center", () => {
  test("show one section at a time, the first by default, and are named by the specification", async ({
    open,
  }) => {
    const { page, problems } = await open(`${servers.app.url}/faq`);
    expect(await page.getByRole("tab").allInnerTexts()).toEqual(titles);
    expect(await selected(page)).toEqual([about?.title]);
    expect(await headings(page)).toEqual([about?.title]);
    await tab(page, safety?.title).click();
    expect(await headings(page)).toEqual([safety?.title]);
    expect(await page.getByRole("tabpanel", { name: safety?.title }).count()).toBe(1);
    expect(problems).toEqual([]);
  });

  test("show that section before their script comes, so that nothing moves, and each by its link if it never does", async ({
    open,
  }) => {
    const { page } = await open();
    await page.route("**/site/site-*.js", (route) => route.abort());
    const answer = limits?.questions[1];
    for (const [hash, title] of [
      ["", about?.title],
      [`#${safety?.id}`, safety?.title],
      [`#${answer?.id}`, limits?.title],
    ]) {
      await page.goto("about:blank");
      await page.goto(`${servers.app.url}/faq${hash}`);
      expect(await headings(page)).toEqual([title]);
    }
    await page.getByRole("link", { name: technical?.title }).click();
    expect(await headings(page)).toEqual([technical?.title]);
  });

  test("work with the arrow keys, Home and End, as one stop of the Tab key", async ({ open }) => {
    const { page } = await open(`${servers.app.url}/faq`, { viewport: { width: 1280, height: 800 } });
    await page.waitForFunction(() => document.querySelector("[role=tab]"));
    for (const [key, title] of [
      [null, about?.title],
      ["ArrowRight", technical?.title],
      ["ArrowLeft", about?.title],
      ["ArrowLeft", safety?.title],
      ["Home", about?.title],
      ["End", safety?.title],
      ["ArrowRight", about?.title],
    ] as const) {
      if (key) await page.keyboard.press(key);
      else await focusTab(page, title ?? "");
      expect([key, await page.evaluate(() => document.activeElement?.textContent)]).toEqual([key, title]);
      expect(await selected(page)).toEqual([title]);
    }
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("SUMMARY");
  });

  test("open at the place that an address names: a section, or an answer inside one", async ({ open }) => {
    const { page } = await open(`${servers.app.url}/faq#${limits?.id}`);
    expect(await headings(page)).toEqual([limits?.title]);

    const question = technical?.questions.at(-1);
    await page.goto(`${servers.app.url}/faq#${question?.id}`);
    await page.getByText(question?.answer[0] ?? "-").waitFor();
    expect(await headings(page)).toEqual([technical?.title]);
    // A link on the same page.
    await page.evaluate((id) => void (location.hash = id), safety?.questions[0]?.id ?? "");
    await page.getByText(safety?.questions[0]?.answer[0] ?? "-").waitFor();
    expect(await selected(page)).toEqual([safety?.title]);
    expect(await page.getByText(safety?.questions[0]?.answer[0] ?? "-").isVisible()).toBe(true);
  });

  test("put the chosen section into the address, without a step in the history", async ({ open }) => {
    const { page } = await open(`${servers.app.url}/support`);
    await page.goto(`${servers.app.url}/faq`);
    await tab(page, limits?.title).click();
    expect(new URL(page.url()).hash).toBe(`#${limits?.id}`);
    await page.goBack();
    expect(new URL(page.url()).pathname).toBe("/support");
  });
});

for (const path of ["/terms", "/privacy", "/disclaimer"])
  test(`${path} was last updated today, by the visitor's calendar`, async ({ open }) => {
    const { page } = await open(undefined, { timezoneId: "Pacific/Kiritimati" });
    // Already the fifth there, while the fourth ends in Greenwich.
    await page.clock.setFixedTime(new Date("2031-03-04T12:00:00Z"));
    await page.goto(servers.app.url + path);
    const time = page.locator("time[data-today]");
    expect(await time.innerText()).toBe(formatDay("2031-03-05"));
    expect(await time.getAttribute("datetime")).toBe("2031-03-05");
  });

test.describe("the not-found page", () => {
  /** The paths that an opened page reported. */
  async function reports(open: Open, path: string): Promise<unknown[]> {
    const { page } = await open();
    const sent: unknown[] = [];
    page.on("request", (request) => {
      if (request.url().endsWith("/api/404")) sent.push(request.postDataJSON());
    });
    await page.goto(servers.app.url + path);
    await page.waitForTimeout(300);
    return sent;
  }

  test("reports an unknown path once", async ({ open }) => {
    expect(await reports(open, "/no-such-page/?q=1")).toEqual([{ path: "/no-such-page/" }]);
  });

  for (const path of [legacyPaths[0] ?? "", `${legacyPaths[1]}/`])
    test(`does not report ${path}, which an earlier site had`, async ({ open }) => {
      expect(await reports(open, path)).toEqual([]);
    });

  test("no other page reports anything", async ({ open }) => {
    for (const path of ["/", "/faq", "/success"]) expect(await reports(open, path)).toEqual([]);
  });

  test("goes back to the page before, and home when there is none", async ({ open }) => {
    const { context, page } = await open(`${servers.app.url}/support`, {});
    await page.goto(`${servers.app.url}/no-such-page`);
    await tabTo(page, "button", "Go Back");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/support");

    const first = await context.newPage();
    const [opened] = await Promise.all([
      context.waitForEvent("page"),
      first.evaluate((url) => void window.open(url, "_blank", "noopener"), `${servers.app.url}/no-such-page`),
    ]);
    await opened.getByRole("button", { name: "Go Back" }).click();
    await opened.waitForURL(`${servers.app.url}/`);
  });
});

async function focusTab(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 40; presses += 1) {
    await page.keyboard.press("Tab");
    if (await tab(page, name).evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error(`Tab never reached the tab ${name}`);
}
