import type { Locator, Page } from "@playwright/test";
import { getFaqGroups } from "@/lib/content/faq";
import { consentSite } from "@/testing/servers/builds";
import { expect, test, useServers } from "@/testing/test";
import { visitorAtStep3, type Visitor } from "@/testing/visitor";

/* Positions of elements, and which elements are visible without scrolling. */

const plain = useServers();
const asking = useServers(consentSite);
let ordered: Visitor;

test.beforeAll(async () => {
  ordered = await visitorAtStep3(plain.app.url);
  await ordered.like();
});

const desktop = { viewport: { width: 1280, height: 800 } };
const phone = { viewport: { width: 360, height: 640 } };

const heading = (page: Page) => page.getByRole("heading", { level: 1 });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** Returns the position of an element in the window, in whole pixels. */
async function boxOf(element: Locator) {
  const box = (await element.boundingBox())!;
  const [left, top] = [Math.round(box.x), Math.round(box.y)];
  return { left, top, right: Math.round(box.x + box.width), bottom: Math.round(box.y + box.height) };
}

const bottoms = async (...elements: Locator[]) =>
  (await Promise.all(elements.map(boxOf))).map(({ bottom }) => bottom);

test("headings and steps start at the left edge of the logo at 1280 px", async ({ open }) => {
  for (const [paths, as] of [
    [["/", "/verification/", "/get-likes/", "/private-account-error/", "/success/"], ordered],
    [["/success/", "/no-such-page", "/contact/", "/faq"], undefined],
  ] as const)
    for (const path of paths) {
      const { page } = await open(plain.app.url + path, { ...desktop, as });
      await heading(page).waitFor();
      const logo = await boxOf(page.locator("header svg").first());
      const list = await page.getByRole("list", { name: "Steps" }).all();
      expect([path, list.length]).toEqual([path, as ? 1 : 0]);
      for (const element of [heading(page), ...list])
        expect([path, (await boxOf(element)).left]).toEqual([path, logo.left]);
    }
});

test.describe("the home page without scrolling", () => {
  const tool = (page: Page) => page.locator("#tool");

  test("shows heading and facts beside the form at 1280 × 800", async ({ open }) => {
    const { page } = await open(plain.app.url, desktop);
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
    const { page } = await open(plain.app.url, phone);
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
  const { page } = await open(`${plain.app.url}/faq`, desktop);
  const tabs = page.getByRole("tablist");
  const [list, panel] = [await boxOf(tabs), await boxOf(page.getByRole("tabpanel"))];
  expect(list.right).toBeLessThan(panel.left);
  expect(list.top).toBe(panel.top);
  await expect(tabs).toHaveAttribute("aria-orientation", "vertical");

  await page.setViewportSize(phone.viewport);
  await expect(tabs).toHaveAttribute("aria-orientation", "horizontal");
  // The arrow keys up and down scroll the page.
  const selected = page.getByRole("tab", { selected: true });
  await selected.press("ArrowDown");
  await expect(selected).toHaveText(getFaqGroups(true, null)[0]?.title ?? "");
});

test("the footer of a step shows its links after a click on a phone, and at once on wide screens", async ({
  open,
}) => {
  const { page } = await open(`${plain.app.url}/success/`, { ...phone, as: ordered });
  const footer = page.getByRole("contentinfo");
  const shownLinks = footer.getByRole("link").filter({ visible: true });
  const { top, bottom } = await boxOf(footer);
  expect(bottom - top).toBeLessThan(120);
  await expect(shownLinks).toHaveCount(0);
  await footer.locator("summary").click();
  await expect(shownLinks).toHaveCount(10);
  await page.reload();
  await page.setViewportSize(desktop.viewport);
  await expect(shownLinks).toHaveCount(10);
});

test.describe("the cookie dialog", () => {
  const sheet = (page: Page) => page.getByRole("region", { name: "Your choice about cookies" });

  test("covers neither field nor captcha on a phone, has two equal buttons, and grows with the text size", async ({
    open,
  }) => {
    const { page } = await open(asking.app.url, phone);
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

    await page.evaluate(() => (document.documentElement.style.fontSize = "200%"));
    await expect(page.getByText("Your choice about cookies")).toHaveCSS("font-size", "33.6px");
    const large = await boxOf(sheet(page));
    expect(large.top).toBeGreaterThanOrEqual(0);
    expect(large.bottom).toBeLessThanOrEqual(phone.viewport.height);
  });

  test("covers no focused control, down to the end of the page", async ({ open }) => {
    const { page } = await open(`${asking.app.url}/contact/`, phone);
    await sheet(page).waitFor();
    const { top } = await boxOf(sheet(page));
    for (const name of ["Send Message", "Cookie settings"]) {
      await button(page, name).evaluate((element) => element.scrollIntoView({ block: "nearest" }));
      expect((await boxOf(button(page, name))).bottom).toBeLessThanOrEqual(top);
    }
  });
});

test("the navigation underlines only the current page", async ({ open }) => {
  const { page } = await open(`${plain.app.url}/faq/`, desktop);
  const links = page.getByRole("navigation", { name: "Main" }).getByRole("link");
  const line = (style: string) => ["text-decoration-line", style] as const;
  await expect(links.and(page.locator("[aria-current]"))).toHaveCSS(...line("underline"));
  await expect(links.filter({ hasText: "Testimonials" })).toHaveCSS(...line("none"));
});

test("the menu of a phone scrolls to its last entry, and the page behind it does not", async ({ open }) => {
  const viewport = { width: 320, height: 480 };
  const { page } = await open(`${plain.app.url}/disclaimer`, { viewport });
  await button(page, "Menu").click();
  const last = page.getByRole("navigation", { name: "Menu" }).getByRole("link").last();
  await last.waitFor();
  expect((await boxOf(last)).bottom).toBeGreaterThan(viewport.height);
  await page.mouse.move(viewport.width - 40, 200);
  await page.mouse.wheel(0, 2_000);
  await expect.poll(async () => (await boxOf(last)).bottom).toBeLessThanOrEqual(viewport.height);
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
});
