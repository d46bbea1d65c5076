import { expect, test, useServers } from "../support/test";
import type { Locator, Page } from "@playwright/test";
import { faqGroups } from "@/lib/content/faq";
import { visitorAtStep3, type Visitor } from "../support/visitor";

/* Where things stand, and what of them is in sight. */

interface Party {
  url: string;
  /** At step 3. */
  verified: Visitor;
  /** With an accepted order. */
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
  return { plain: await gather(plain.url), asking: await gather(asking.url) };
});

async function gather(url: string): Promise<Party> {
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

/** Where an element stands in the window, to the pixel. */
async function boxOf(element: Locator): Promise<Box> {
  const box = await element.boundingBox();
  if (!box) throw new Error(`${element} is not there`);
  const [left, top] = [Math.round(box.x), Math.round(box.y)];
  return { left, top, right: Math.round(box.x + box.width), bottom: Math.round(box.y + box.height) };
}

const bottoms = async (...elements: Locator[]) =>
  (await Promise.all(elements.map(boxOf))).map(({ bottom }) => bottom);

test.describe("the left edge at 1280 px", () => {
  test("is that of the logo on every step, its notice and the missing page, with and without an advertisement", async ({
    open,
  }) => {
    const places: [path: string, party: Party, as?: Visitor][] = [
      ["/", servers.plain],
      ["/verification/", servers.plain, servers.plain.verified],
      ["/get-likes/", servers.plain, servers.plain.verified],
      ["/private-account-error/", servers.plain, servers.plain.verified],
      ["/success/", servers.plain, servers.plain.ordered],
      ["/success/", servers.plain],
      ["/no-such-page", servers.plain],
      ["/contact/", servers.plain],
      ["/faq", servers.plain],
      ["/", servers.asking],
      ["/get-likes/", servers.asking, servers.asking.verified],
    ];
    const edges: [path: string, ...edges: number[]][] = [];
    for (const [path, { url }, as] of places) {
      const { page } = await open(url + path, { ...desktop, as });
      await heading(page).waitFor();
      const logo = await boxOf(page.locator("header svg").first());
      const column = [heading(page), ...(await page.getByRole("list", { name: "Steps" }).all())];
      const lefts = await Promise.all(column.map(async (each) => (await boxOf(each)).left));
      edges.push([path, ...lefts.map((left) => left - logo.left)]);
    }
    const steps = ["/", "/verification/", "/get-likes/", "/private-account-error/", "/success/"];
    expect(edges).toEqual([
      ...steps.map((path) => [path, 0, 0]),
      ["/success/", 0],
      ["/no-such-page", 0],
      ["/contact/", 0],
      ["/faq", 0],
      ["/", 0, 0],
      ["/get-likes/", 0, 0],
    ]);
  });

  test("is where the first step begins, and the last ends with its column", async ({ open }) => {
    const { page } = await open(`${servers.plain.url}/get-likes/`, {
      ...desktop,
      as: servers.plain.verified,
    });
    const card = await boxOf(page.locator("main .shadow", { hasText: "Send 50 Free Likes" }));
    const steps = page.getByRole("list", { name: "Steps" }).getByRole("listitem");
    const [first, last] = await Promise.all([
      boxOf(steps.first().locator("span").nth(1)),
      boxOf(steps.last()),
    ]);
    expect([first.left, last.right]).toEqual([card.left, card.right]);
  });
});

test.describe("the first screen of home", () => {
  const tool = (page: Page) => page.locator("#tool");

  test("holds promise, facts and tool at 1280 × 800, the tool beside the promise", async ({ open }) => {
    const { page } = await open(servers.plain.url, desktop);
    await page.getByText("free likes left today").waitFor();
    const facts = await page.locator("#home-facts li").all();
    expect(facts).toHaveLength(3);
    for (const bottom of await bottoms(heading(page), ...facts, tool(page))) {
      expect(bottom).toBeLessThanOrEqual(800);
    }
    const [promise, form] = await Promise.all([boxOf(heading(page)), boxOf(tool(page))]);
    expect(form.left).toBeGreaterThanOrEqual(promise.right);
    expect(Math.abs(form.top - promise.top)).toBeLessThan(10);
  });

  test("holds promise, field and button at 360 × 640, the facts below the tool", async ({ open }) => {
    const { page } = await open(servers.plain.url, phone);
    await page.getByText("free likes left today").waitFor();
    const shown = [
      heading(page),
      page.getByRole("textbox"),
      button(page, "Continue to Next Step"),
      tool(page),
    ];
    for (const bottom of await bottoms(...shown)) expect(bottom).toBeLessThanOrEqual(640);
    const [form, facts] = await Promise.all([boxOf(tool(page)), boxOf(page.locator("#home-facts"))]);
    expect(facts.top).toBeGreaterThan(form.bottom);
  });
});

test("the parts of the Help Center stand beside their questions on a wide screen, and answer to up and down", async ({
  open,
}) => {
  const [first, second] = faqGroups.map(({ title }) => title);
  const { page } = await open(`${servers.plain.url}/faq`, desktop);
  const tabs = page.getByRole("tablist");
  const [list, panel] = await Promise.all([boxOf(tabs), boxOf(page.getByRole("tabpanel"))]);
  expect(list.right).toBeLessThan(panel.left);
  expect(list.top).toBe(panel.top);
  await page.getByRole("tab", { selected: true }).press("ArrowDown");
  expect(await page.getByRole("tab", { selected: true }).innerText()).toBe(second);
  await page.keyboard.press("ArrowUp");
  expect(await page.getByRole("tab", { selected: true }).innerText()).toBe(first);
  expect(await tabs.getAttribute("aria-orientation")).toBe("vertical");

  // In a row, up and down scroll the page.
  await page.setViewportSize(phone.viewport);
  await page.keyboard.press("ArrowDown");
  expect(await page.getByRole("tab", { selected: true }).innerText()).toBe(first);
  expect(await tabs.getAttribute("aria-orientation")).toBe("horizontal");
});

test.describe("the footer", () => {
  const footer = (page: Page) => page.getByRole("contentinfo");
  const links = (page: Page) => footer(page).getByRole("link");
  const shown = async (page: Page) =>
    (await Promise.all((await links(page).all()).map((link) => link.isVisible()))).filter(Boolean).length;

  test("is two lines inside the flow on a phone, and opens to all of its links", async ({ open }) => {
    const { page } = await open(`${servers.plain.url}/success/`, { ...phone, as: servers.plain.ordered });
    const { top, bottom } = await boxOf(footer(page));
    expect(bottom - top).toBeLessThan(120);
    expect(await shown(page)).toBe(0);
    await footer(page).locator("summary").click();
    expect(await shown(page)).toBe(10);
  });

  test("has all of its links in sight on wide screens, and on pages outside of the flow", async ({
    open,
  }) => {
    const { page: flow } = await open(`${servers.plain.url}/success/`, {
      ...desktop,
      as: servers.plain.ordered,
    });
    expect(await shown(flow)).toBe(10);
    const { page: content } = await open(`${servers.plain.url}/faq`, phone);
    expect(await shown(content)).toBe(10);
  });
});

test.describe("the question about cookies", () => {
  const sheet = (page: Page) => page.getByRole("dialog", { name: "Your choice about cookies" });

  test("leaves the field and the check in sight on a phone, and gives both answers the same weight", async ({
    open,
  }) => {
    const { page } = await open(servers.asking.url, phone);
    await sheet(page).waitFor();
    const { top, bottom } = await boxOf(sheet(page));
    expect(bottom - top).toBeLessThan(200);
    for (const each of await bottoms(
      page.getByRole("textbox"),
      page.getByRole("group", { name: "Human verification" }),
    )) {
      expect(each).toBeLessThanOrEqual(top);
    }
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

  test("explains each choice, to the eye and with the choice's own name", async ({ open }) => {
    const { page } = await open(servers.asking.url, phone);
    await button(page, "Choose").click();
    const settings = page.getByRole("dialog", { name: "Cookie settings" });
    for (const [name, words] of [
      ["Necessary", "The cookies that the tool needs"],
      ["Statistics", "Show us which pages are opened"],
      ["Advertising", "Lets the advertising network show ads here"],
    ] as const) {
      await settings.getByText(words).waitFor();
      const choice = settings.getByRole("checkbox", { name });
      const described = await choice.evaluate(
        (box) => document.getElementById(box.getAttribute("aria-describedby") ?? "")?.textContent,
      );
      expect(described).toContain(words);
    }
  });

  test("covers nothing that comes into sight, down to the end of the page", async ({ open }) => {
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

  test("marks the page that is open by a line, from the first frame and without script", async ({ open }) => {
    const { page } = await open(`${servers.plain.url}/faq/`, { ...desktop, javaScriptEnabled: false });
    const marked = main(page).locator("[aria-current]");
    expect(await marked.allInnerTexts()).toEqual(["FAQ"]);
    expect(await marked.evaluate((link) => getComputedStyle(link).textDecorationLine)).toBe("underline");
    const other = main(page).getByRole("link", { name: "Testimonials" });
    expect(await other.evaluate((link) => getComputedStyle(link).textDecorationLine)).toBe("none");
  });

  for (const { scrolls, ...viewport } of [
    { width: 360, height: 640, scrolls: false },
    { width: 320, height: 480, scrolls: true },
  ])
    test(`of a phone of ${viewport.width} × ${viewport.height} shows its last entry`, async ({ open }) => {
      const { page } = await open(`${servers.plain.url}/disclaimer`, { viewport });
      await button(page, "Menu").click();
      const menu = page.getByRole("navigation", { name: "Menu" });
      const last = menu.getByRole("link").last();
      await last.waitFor();
      expect((await boxOf(last)).bottom > viewport.height).toBe(scrolls);
      await page.mouse.move(viewport.width - 40, 200);
      await page.mouse.wheel(0, 2_000);
      await page.waitForFunction((height) => {
        const link = [...document.querySelectorAll("#site-menu a")].at(-1);
        return link && link.getBoundingClientRect().bottom <= height;
      }, viewport.height);
      expect(await last.getAttribute("aria-current")).toBe("page");
      expect(await page.evaluate(() => window.scrollY)).toBe(0);
    });
});

test("radio buttons and check boxes have the site's colours in the dark, and the visitor's own where those are forced", async ({
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

test("codes are set in the site's own type", async ({ open }) => {
  const { page } = await open(`${servers.plain.url}/success/`, { ...phone, as: servers.plain.ordered });
  const fonts = await page
    .locator("main *")
    .evaluateAll((elements) => [...new Set(elements.map((each) => getComputedStyle(each).fontFamily))]);
  expect(fonts.length).toBeGreaterThan(1);
  expect(fonts.filter((font) => /mono/i.test(font))).toEqual([]);
});
