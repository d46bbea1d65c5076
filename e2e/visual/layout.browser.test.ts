import type { Locator, Page } from "@playwright/test";
import { getFaqGroups } from "@/lib/content/faq";
import { lostText } from "@/testing/browser/layout-checks";
import { expect, test, useServers } from "@/testing/test";
import { visitorAtStep3 } from "@/testing/visitor";

/* Positions of elements, and which elements are visible without scrolling. */

test.use({ contextOptions: { reducedMotion: "reduce" } });

const servers = useServers({}, async (servers) => {
  const env = { CAPTCHA_PROVIDER: "altcha", POST_LOOKUP: "sandbox", POST_LOOKUP_IMAGE_HOSTS: undefined };
  const [plain, asking] = await Promise.all([
    servers.start(),
    // Has both ad slots, and asks for consent.
    servers.start({ build: "widened", database: 1, env }),
  ]);
  const ordered = await visitorAtStep3(plain.url);
  await ordered.like();
  return { plain, asking, ordered };
});

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

  for (const { name, hasFlow, paths } of [
    { name: "visitors with an order", hasFlow: true, paths: steps },
    { name: "new visitors", hasFlow: false, paths: ["/success/", ...others] },
  ])
    test(`headings and steps start at the left edge of the logo, for ${name}`, async ({ open }) => {
      for (const path of paths) {
        const as = hasFlow ? servers.ordered : undefined;
        const { page } = await open(servers.plain.url + path, { ...desktop, as });
        await heading(page).waitFor();
        const logo = await boxOf(page.locator("header svg").first());
        const list = await page.getByRole("list", { name: "Steps" }).all();
        expect([path, list.length]).toEqual([path, hasFlow ? 1 : 0]);
        for (const element of [heading(page), ...list])
          expect([path, (await boxOf(element)).left]).toEqual([path, logo.left]);
      }
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
  const { page } = await open(`${servers.plain.url}/success/`, { ...phone, as: servers.ordered });
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

  test("grows with the text size, and stays within the window", async ({ open }) => {
    const { page } = await open(servers.asking.url, phone);
    await sheet(page).waitFor();
    await page.evaluate(() => (document.documentElement.style.fontSize = "200%"));
    await expect(page.getByText("Your choice about cookies")).toHaveCSS("font-size", "33.6px");
    const { top, bottom } = await boxOf(sheet(page));
    expect(top).toBeGreaterThanOrEqual(0);
    expect(bottom).toBeLessThanOrEqual(phone.viewport.height);
    await button(page, "Choose").click();
    const buttons = page.getByRole("dialog", { name: "Cookie settings" }).getByText(/ all$| my choice$/);
    await expect(buttons).toHaveCount(3);
    expect(await lostText(page)).toEqual([]);
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

test("the navigation underlines only the current page", async ({ open }) => {
  const { page } = await open(`${servers.plain.url}/faq/`, desktop);
  const links = page.getByRole("navigation", { name: "Main" }).getByRole("link");
  const line = (style: string) => ["text-decoration-line", style] as const;
  await expect(links.and(page.locator("[aria-current]"))).toHaveCSS(...line("underline"));
  await expect(links.filter({ hasText: "Testimonials" })).toHaveCSS(...line("none"));
});

test("the menu of a phone scrolls to its last entry, and the page behind it does not", async ({ open }) => {
  const viewport = { width: 320, height: 480 };
  const { page } = await open(`${servers.plain.url}/disclaimer`, { viewport });
  await button(page, "Menu").click();
  const last = page.getByRole("navigation", { name: "Menu" }).getByRole("link").last();
  await last.waitFor();
  expect((await boxOf(last)).bottom).toBeGreaterThan(viewport.height);
  await page.mouse.move(viewport.width - 40, 200);
  await page.mouse.wheel(0, 2_000);
  await expect.poll(async () => (await boxOf(last)).bottom).toBeLessThanOrEqual(viewport.height);
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
});
