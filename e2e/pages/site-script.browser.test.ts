import type { Page } from "@playwright/test";
import { getFaqGroups } from "@/lib/content/faq";
import { formatDay } from "@/lib/content/site";
import { legacyPaths } from "@/lib/http/pages";
import { tabTo } from "@/testing/browser/flow-pages";
import { expect, test, useServers } from "@/testing/test";

const servers = useServers();

const titles = getFaqGroups(true, null).map(({ title }) => title);
type Group = ReturnType<typeof getFaqGroups>[number];
const [about, technical, limits, safety] = getFaqGroups(true, null) as [Group, Group, Group, Group];

async function expectSection(page: Page, { title }: Group): Promise<void> {
  const headings = page.getByRole("heading", { level: 2, name: new RegExp(titles.join("|")) });
  await expect(headings).toHaveText([title]);
}

test.describe("the tabs of the Help Center", () => {
  const tab = (page: Page, { title }: Group) => page.getByRole("tab", { name: title });
  const selected = (page: Page) => page.getByRole("tab", { selected: true });

  test("show one section at a time, at first the first one", async ({ open }) => {
    const { page, problems } = await open(`${servers.app.url}/faq`);
    await expect(page.getByRole("tab")).toHaveText(titles);
    await expect(selected(page)).toHaveText([about.title]);
    await expectSection(page, about);
    await tab(page, safety).click();
    await expectSection(page, safety);
    await expect(page.getByRole("tabpanel", { name: safety.title })).toHaveCount(1);
    expect(problems).toEqual([]);
  });

  test("support the arrow keys, Home and End, and are one stop of the Tab key", async ({ open }) => {
    const { page } = await open(`${servers.app.url}/faq`, { viewport: { width: 1280, height: 800 } });
    await page.getByRole("tab").first().waitFor();
    await tabTo(page, "tab", about.title);
    for (const [key, group] of [
      ["ArrowRight", technical],
      ["ArrowLeft", about],
      ["ArrowLeft", safety],
      ["Home", about],
      ["End", safety],
      ["ArrowRight", about],
      ["ArrowDown", technical],
      ["ArrowUp", about],
      ["ArrowRight", technical],
    ] as const) {
      await page.keyboard.press(key);
      await expect(tab(page, group)).toBeFocused();
      await expect(selected(page)).toHaveText([group.title]);
    }
    await page.keyboard.press("Tab");
    await expect(page.locator("main summary:visible").first()).toBeFocused();
    await page.keyboard.press("Shift+Tab");
    await expect(tab(page, technical)).toBeFocused();
  });

  for (const isLoaded of [true, false])
    test(`open the section or the answer of the URL, with the script ${isLoaded ? "" : "not "}loaded`, async ({
      open,
    }) => {
      const { page, problems } = await open();
      if (!isLoaded) await page.route("**/site/site-*.js", (route) => route.abort());
      for (const [hash, group] of [
        ["", about],
        ["#%", about],
        [`#${safety.id}`, safety],
        [`#${limits.questions[1]?.id}`, limits],
      ] as const) {
        await page.goto("about:blank");
        await page.goto(`${servers.app.url}/faq${hash}`);
        await expectSection(page, group);
      }
      await expect(page.getByText([limits.questions[1]?.answer].flat()[0] ?? "-")).toBeVisible();
      if (isLoaded) {
        expect(problems).toEqual([]);
        await page.evaluate((id) => void (location.hash = id), safety.questions[0]?.id ?? "");
        await expect(page.getByText([safety.questions[0]?.answer].flat()[0] ?? "-")).toBeVisible();
        await expect(selected(page)).toHaveText([safety.title]);
      } else {
        await page.getByRole("link", { name: technical.title }).click();
        await expectSection(page, technical);
      }
    });

  test("write the section into the URL without a history entry", async ({ open }) => {
    const { page } = await open(`${servers.app.url}/support`);
    await page.goto(`${servers.app.url}/faq`);
    await tab(page, limits).click();
    await expect(page).toHaveURL(`${servers.app.url}/faq#${limits.id}`);
    await page.goBack();
    await expect(page).toHaveURL(`${servers.app.url}/support`);
  });
});

for (const path of ["/terms", "/privacy", "/disclaimer"])
  test(`${path} shows today in the visitor's time zone as the date of the last update`, async ({ open }) => {
    const { page } = await open(undefined, { timezoneId: "Pacific/Kiritimati" });
    // March 5 in Kiritimati.
    await page.clock.setFixedTime(new Date("2031-03-04T12:00:00Z"));
    await page.goto(servers.app.url + path);
    const time = page.locator("time[data-today]");
    await expect(time).toHaveText(formatDay("2031-03-05"));
    await expect(time).toHaveAttribute("datetime", "2031-03-05");
  });

test.describe("the not-found page", () => {
  for (const [path, reported] of [
    ["/no-such-page/?q=1", [{ path: "/no-such-page/" }]],
    // Paths of an earlier site.
    [legacyPaths[0] ?? "", []],
    [`${legacyPaths[1]}/`, []],
    // Existing pages.
    ["/", []],
    ["/faq", []],
    ["/success", []],
  ] as const)
    test(`${path} sends ${reported.length} reports`, async ({ open }) => {
      const reports: unknown[] = [];
      const { page } = await open();
      page.on("request", (request) => {
        if (request.url().endsWith("/api/404")) reports.push(request.postDataJSON());
      });
      await page.goto(servers.app.url + path);
      await page.waitForTimeout(300);
      expect(reports).toEqual(reported);
    });

  test("goes back to the page before, or to the home page without a page before", async ({ open }) => {
    const { context, page } = await open(`${servers.app.url}/support`);
    await page.goto(`${servers.app.url}/no-such-page`);
    await tabTo(page, "button", "Go Back");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/support");

    const [opened] = await Promise.all([
      context.waitForEvent("page"),
      page.evaluate((url) => void window.open(url, "_blank", "noopener"), `${servers.app.url}/no-such-page`),
    ]);
    await opened.getByRole("button", { name: "Go Back" }).click();
    await opened.waitForURL(`${servers.app.url}/`);
  });
});

test("keeps the input of every field for Back, and for a reload after a link to a part of the page", async ({
  open,
}) => {
  const { page } = await open(`${servers.app.url}/contact`);
  await page.getByLabel("Subject").fill("A subject");
  await page.getByRole("link", { name: "Skip to main content" }).press("Enter");
  await page.reload();
  await expect(page.getByLabel("Subject")).toHaveValue("A subject");
  await page.goto(`${servers.app.url}/`);
  await page.getByRole("textbox").fill("https://www.instagram.com/p/Cxyz123abc_/");
  await page.goto(`${servers.app.url}/terms`);
  await page.goBack();
  await expect(page.getByRole("textbox")).toHaveValue("https://www.instagram.com/p/Cxyz123abc_/");
  await page.goBack();
  await expect(page.getByLabel("Subject")).toHaveValue("A subject");
});

test("the phone menu keeps the focus, and closes when the visitor leaves", async ({ open }) => {
  const { page } = await open(servers.app.url);
  for (const close of [
    () => page.getByRole("button", { name: "Close menu" }).click(),
    () => page.evaluate(() => dispatchEvent(new Event("pagehide"))),
  ]) {
    await page.getByRole("button", { name: "Menu", exact: true }).click();
    await expect(page.locator("main")).toHaveAttribute("inert");
    await close();
    await expect(page.getByRole("navigation", { name: "Menu" })).toBeHidden();
    await expect(page.locator("main")).not.toHaveAttribute("inert");
  }
});

test("a page without its scripts says after 20 seconds that it is incomplete", async ({ open }) => {
  const { page } = await open();
  await page.route("**/*.js", (route) => route.abort());
  await page.goto(`${servers.app.url}/contact`);
  const message = await page.locator("[data-island]").evaluate((island) => {
    const { content, visibility } = getComputedStyle(island, "::before");
    for (const animation of document.getAnimations()) animation.finish();
    return [content, visibility, getComputedStyle(island, "::before").visibility];
  });
  const text = expect.stringMatching(/did not load completely.*allow its scripts/);
  expect(message).toEqual([text, "hidden", "visible"]);
});

test("a page whose script failed offers to reload it, and keeps the input", async ({ open }) => {
  const { page } = await open();
  await page.route(/\/forms-/, (route) => route.abort(), { times: 1 });
  await page.goto(`${servers.app.url}/contact`);
  await page.getByLabel("Name").fill("Ada");
  await page.getByRole("button", { name: "Reload" }).click();
  await page.locator("[data-hydrated]").waitFor();
  await expect(page.getByLabel("Name")).toHaveValue("Ada");
});

for (const path of ["/sw.js", "/service-worker.js"])
  test(`replaces the service worker ${path} of an earlier site`, async ({ open }) => {
    // In a new browser context, because the worker answers for the site after this test.
    const { page, context } = await open(servers.app.url, { serviceWorkers: "allow" });
    const body = 'onfetch = (event) => event.respondWith(new Response("Earlier site"))';
    await context.route(`**${path}`, (route) => route.fulfill({ contentType: "text/javascript", body }));
    await page.evaluate(async (path) => {
      await navigator.serviceWorker.register(path);
      await navigator.serviceWorker.ready;
    }, path);
    await context.unrouteAll();
    await page.goto(`${servers.app.url}/faq`);
    expect(await page.evaluate(() => document.body.innerText)).toBe("Earlier site");
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  });
