import type { Locator, Page } from "@playwright/test";
import { faqGroups } from "@/lib/content/faq";
import { expect, test, useServers } from "../support/test";
import { visitorAtStep3, type Visitor } from "../support/visitor";

/* Positions of elements, and which elements are visible without scrolling. */

interface Site {
  url: string;
  /** A visitor at step 3. */
  verified: Visitor;
  /** A visitor with an accepted order. */
  ordered: Visitor;
}

test.use({ contextOptions: { reducedMotion: "reduce" } });

const servers = useServers({}, async (servers) => {
  const env = { CAPTCHA_PROVIDER: "altcha", POST_LOOKUP: "sandbox", POST_LOOKUP_IMAGE_HOSTS: undefined };
  const [plain, asking] = await Promise.all([
    servers.start(),
    // Has both ad slots, and asks for consent.
    servers.start({ build: "widened", database: 1, env }),
  ]);
  return { plain: await addVisitors(plain.url), asking: await addVisitors(asking.url) };
});

async function addVisitors(url: string): Promise<Site> {
  const [verified, ordered] = await Promise.all([visitorAtStep3(url), visitorAtStep3(url)]);
  await ordered.like();
  return { url, verified, ordered };
}

const desktop = { viewport: { width: 1280, height: 800 } };
const phone = { viewport: { width: 360, height: 640 } };

const heading = (page: Page) => page.getByRole("heading", { level: 1 });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Returns the position of an element in the window, in whole pixels. */
async function boxOf(element: Locator): Promise<Box> {
  const box = await element.boundingBox();
  if (!box) throw new Error(`${element} has no box`);
  const [left, top] = [Math.round(box.x), Math.round(box.y)];
  return { left, top, right: Math.round(box.x + box.width), bottom: Math.round(box.y + box.height) };
}

const bottoms = async (...elements: Locator[]) =>
  (await Promise.all(elements.map(boxOf))).map(({ bottom }) => bottom);

test.describe("at 1280 px", () => {
  const steps = ["/", "/verification/", "/get-likes/", "/private-account-error/", "/success/"];
  const others = ["/no-such-page", "/contact/", "/faq"];

  for (const { name, site, as, paths } of [
    { name: "visitors with an order", site: "plain", as: "ordered", paths: steps },
    { name: "new visitors", site: "plain", as: undefined, paths: ["/success/", ...others] },
    { name: "visitors of a site with ads", site: "asking", as: "verified", paths: ["/", "/get-likes/"] },
  ] as const)
    test(`headings and steps start at the left edge of the logo, for ${name}`, async ({ open }) => {
      for (const path of paths) {
        const { url, ...visitors } = servers[site];
        const { page } = await open(url + path, { ...desktop, as: as && visitors[as] });
        await heading(page).waitFor();
        const logo = await boxOf(page.locator("header svg").first());
        const list = await page.getByRole("list", { name: "Steps" }).all();
        expect([path, list.length]).toEqual([path, as ? 1 : 0]);
        for (const element of [heading(page), ...list])
          expect([path, (await boxOf(element)).left]).toEqual([path, logo.left]);
      }
    });

  test("the list of steps is as wide as the card", async ({ open }) => {
    const { page } = await open(`${servers.plain.url}/get-likes/`, {
      ...desktop,
      as: servers.plain.verified,
    });
    const card = await boxOf(page.locator("main .shadow", { hasText: "Send 50 Free Likes" }));
    const items = page.getByRole("list", { name: "Steps" }).getByRole("listitem");
    const first = await boxOf(items.first().locator("span").nth(1));
    const last = await boxOf(items.last());
    expect([first.left, last.right]).toEqual([card.left, card.right]);
  });
});

test.describe("the home page without scrolling", () => {
  const tool = (page: Page) => page.locator("#tool");

  test("shows heading and facts beside the form at 1280 × 800", async ({ open }) => {
    const { page } = await open(servers.plain.url, desktop);
    await page.getByText("free likes left today").waitFor();
    const facts = await page.locator("#home-facts li").all();
    expect(facts).toHaveLength(3);
    for (const bottom of await bottoms(heading(page), ...facts, tool(page))) {
      expect(bottom).toBeLessThanOrEqual(800);
    }
    const [title, form] = [await boxOf(heading(page)), await boxOf(tool(page))];
    expect(form.left).toBeGreaterThanOrEqual(title.right);
    expect(Math.abs(form.top - title.top)).toBeLessThan(10);
  });

  test("shows heading, field and button at 360 × 640, above the facts", async ({ open }) => {
    const { page } = await open(servers.plain.url, phone);
    await page.getByText("free likes left today").waitFor();
    const shown = [
      heading(page),
      page.getByRole("textbox"),
      button(page, "Continue to Next Step"),
      tool(page),
    ];
    for (const bottom of await bottoms(...shown)) expect(bottom).toBeLessThanOrEqual(640);
    const [form, facts] = [await boxOf(tool(page)), await boxOf(page.locator("#home-facts"))];
    expect(facts.top).toBeGreaterThan(form.bottom);
  });
});

test("the tabs of the Help Center are vertical on a wide screen, and horizontal on a phone", async ({
  open,
}) => {
  const { page } = await open(`${servers.plain.url}/faq`, desktop);
  const tabs = page.getByRole("tablist");
  const [list, panel] = [await boxOf(tabs), await boxOf(page.getByRole("tabpanel"))];
  expect(list.right).toBeLessThan(panel.left);
  expect(list.top).toBe(panel.top);
  await expect(tabs).toHaveAttribute("aria-orientation", "vertical");

  // The arrow keys up and down scroll the page.
  await page.setViewportSize(phone.viewport);
  const selected = page.getByRole("tab", { selected: true });
  await selected.press("ArrowDown");
  await expect(selected).toHaveText(faqGroups[0]?.title ?? "");
  await expect(tabs).toHaveAttribute("aria-orientation", "horizontal");
});

test.describe("the footer", () => {
  const footer = (page: Page) => page.getByRole("contentinfo");
  const shownLinks = (page: Page) => footer(page).getByRole("link").filter({ visible: true });

  test("has two lines in the flow on a phone, and shows its links after a click", async ({ open }) => {
    const { page } = await open(`${servers.plain.url}/success/`, { ...phone, as: servers.plain.ordered });
    const { top, bottom } = await boxOf(footer(page));
    expect(bottom - top).toBeLessThan(120);
    await expect(shownLinks(page)).toHaveCount(0);
    await footer(page).locator("summary").click();
    await expect(shownLinks(page)).toHaveCount(10);
  });

  test("shows its links on wide screens, and outside the flow", async ({ open }) => {
    const as = servers.plain.ordered;
    const { page: success } = await open(`${servers.plain.url}/success/`, { ...desktop, as });
    await expect(shownLinks(success)).toHaveCount(10);
    const { page: content } = await open(`${servers.plain.url}/faq`, phone);
    await expect(shownLinks(content)).toHaveCount(10);
  });
});

test.describe("the cookie dialog", () => {
  const sheet = (page: Page) => page.getByRole("dialog", { name: "Your choice about cookies" });

  test("covers neither field nor captcha on a phone, and has two equal buttons", async ({ open }) => {
    const { page } = await open(servers.asking.url, phone);
    await sheet(page).waitFor();
    const { top, bottom } = await boxOf(sheet(page));
    expect(bottom - top).toBeLessThan(200);
    const controls = [page.getByRole("textbox"), page.getByRole("group", { name: "Human verification" })];
    for (const bottom of await bottoms(...controls)) expect(bottom).toBeLessThanOrEqual(top);
    const looks = await Promise.all(
      ["Accept all", "Reject all"].map((name) =>
        button(page, name).evaluate((element) => {
          const { width, height } = element.getBoundingClientRect();
          const { backgroundColor, color, fontWeight } = getComputedStyle(element);
          return { width: Math.round(width), height, backgroundColor, color, fontWeight };
        }),
      ),
    );
    expect(looks[0]).toEqual(looks[1]);
  });

  test("describes each choice, also to screen readers", async ({ open }) => {
    const { page } = await open(servers.asking.url, phone);
    await button(page, "Choose").click();
    const settings = page.getByRole("dialog", { name: "Cookie settings" });
    for (const [name, text] of [
      ["Necessary", "The cookies that the tool needs"],
      ["Statistics", "Show us which pages are opened"],
      ["Advertising", "Lets the advertising network show ads here"],
    ] as const) {
      await expect(settings.getByText(text)).toBeVisible();
      await expect(settings.getByRole("checkbox", { name })).toHaveAccessibleDescription(new RegExp(text));
    }
  });

  test("covers no focused control, down to the end of the page", async ({ open }) => {
    const { page } = await open(`${servers.asking.url}/contact/`, phone);
    await sheet(page).waitFor();
    const { top } = await boxOf(sheet(page));
    for (const name of ["Send Message", "Cookie settings"]) {
      await button(page, name).evaluate((element) => element.scrollIntoView({ block: "nearest" }));
      expect((await boxOf(button(page, name))).bottom).toBeLessThanOrEqual(top);
    }
  });
});

test.describe("the navigation", () => {
  const main = (page: Page) => page.getByRole("navigation", { name: "Main" });

  test("underlines the current page without JavaScript", async ({ open }) => {
    const { page } = await open(`${servers.plain.url}/faq/`, { ...desktop, javaScriptEnabled: false });
    const current = main(page).locator("[aria-current]");
    await expect(current).toHaveText(["FAQ"]);
    await expect(current).toHaveCSS("text-decoration-line", "underline");
    const other = main(page).getByRole("link", { name: "Testimonials" });
    await expect(other).toHaveCSS("text-decoration-line", "none");
  });

  for (const { scrolls, ...viewport } of [
    { width: 360, height: 640, scrolls: false },
    { width: 320, height: 480, scrolls: true },
  ])
    test(`scrolls to the last entry of the menu at ${viewport.width} × ${viewport.height}`, async ({
      open,
    }) => {
      const { page } = await open(`${servers.plain.url}/disclaimer`, { viewport });
      await button(page, "Menu").click();
      const menu = page.getByRole("navigation", { name: "Menu" });
      const last = menu.getByRole("link").last();
      await last.waitFor();
      expect((await boxOf(last)).bottom > viewport.height).toBe(scrolls);
      await page.mouse.move(viewport.width - 40, 200);
      await page.mouse.wheel(0, 2_000);
      await expect.poll(async () => (await boxOf(last)).bottom).toBeLessThanOrEqual(viewport.height);
      await expect(last).toHaveAttribute("aria-current", "page");
      expect(await page.evaluate(() => window.scrollY)).toBe(0);
    });
});

test("radio buttons and checkboxes have the site's colours, unless the visitor forces colours", async ({
  open,
}) => {
  const { page } = await open(`${servers.plain.url}/report-issue/`, { ...phone, colorScheme: "dark" });
  const box = page.getByRole("checkbox", { name: "It happens every time I follow these steps" });
  await box.check();
  const lookOf = (element: Locator) =>
    element.evaluate((input) => {
      const { appearance, backgroundColor, borderTopColor } = getComputedStyle(input);
      const probe = document.body.appendChild(document.createElement("i"));
      probe.className = "text-primary";
      const { color } = getComputedStyle(probe);
      probe.remove();
      return { appearance, filled: backgroundColor === color, framed: borderTopColor === color };
    });
  expect(await lookOf(box)).toEqual({ appearance: "none", filled: true, framed: true });
  await page.goto(`${servers.plain.url}/feedback/`);
  const radio = page.getByRole("radio").first();
  await radio.check();
  expect(await lookOf(radio)).toEqual({ appearance: "none", filled: false, framed: true });
  await page.emulateMedia({ forcedColors: "active" });
  expect((await lookOf(radio)).appearance).toBe("auto");
});
