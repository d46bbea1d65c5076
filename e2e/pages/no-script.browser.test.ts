import { expect, test, useServers, type Open } from "../support/test";
import type { Locator, Page } from "@playwright/test";
import { faqGroups, homeQuestions } from "@/lib/content/faq";
import { supportTopics } from "@/lib/content/support-topics";
import { indexablePages, pages } from "@/lib/http/pages";
import { readVisible } from "../support/browser/visible";
import type { OpenOptions } from "../support/browser/open-page";

const servers = useServers();

test.use({ javaScriptEnabled: false });

const openPath = async (open: Open, path: string, options?: OpenOptions) =>
  (await open(servers.app.url + path, options)).page;

const phone = {
  look: {},
  menu: { opener: "Menu", name: "Menu", link: "Disclaimer", leadsTo: /\/disclaimer$/ },
};
const desktop = {
  look: { viewport: { width: 1280, height: 800 } },
  menu: { opener: "Support", name: "Main", link: "Contact Us", leadsTo: /\/contact$/ },
};
const paths = [...indexablePages.map(({ path }) => path), "/no-such-page"];
/** Pages that are laid out differently on a wide screen: an index beside the text, or columns. */
const widePaths = [pages.home, pages.faq, pages.contact, pages.terms].map(({ path }) => path);

for (const { name, look, menu, checked } of [
  { name: "a phone", ...phone, checked: paths },
  { name: "a desktop", ...desktop, checked: widePaths },
])
  test.describe(`on ${name}`, () => {
    for (const path of checked)
      test(`${path} hides nothing but what a press opens, and its menu leads on`, async ({ open }) => {
        const page = await openPath(open, path, look);
        const main = page.locator("main");
        expect(await page.getByRole("heading", { level: 1 }).isVisible()).toBe(true);
        const { text, hidden } = await readVisible(main);
        expect(text.length).toBeGreaterThan(path === "/no-such-page" ? 100 : 500);
        // An index that stands elsewhere on the other kind of screen is said twice and seen once; what only script can do
        // is not offered without it.
        const needsScript = await main.locator("[data-go-back]").allTextContents();
        expect(hidden.filter((words) => !text.includes(words))).toEqual(needsScript);
        for (const disclosure of await main.locator("details").all()) {
          if (await disclosure.isVisible()) await expectToOpen(disclosure);
        }
        const link = page.getByRole("navigation", { name: menu.name }).getByRole("link", { name: menu.link });
        expect(await link.isVisible()).toBe(false);
        await page.getByRole("button", { name: menu.opener, exact: true }).click();
        await link.click();
        await page.waitForURL(menu.leadsTo);
      });
  });

/** All that a disclosure holds can be read once it was pressed. */
async function expectToOpen(disclosure: Locator): Promise<void> {
  const summary = disclosure.locator("summary");
  const isOpen = () => disclosure.evaluate((element) => (element as HTMLDetailsElement).open);
  if (!(await isOpen())) await summary.click();
  expect(await isOpen()).toBe(true);
  const { text, hidden } = await readVisible(disclosure);
  expect(hidden).toEqual([]);
  expect(text.length).toBeGreaterThan((await summary.innerText()).length + 20);
}

test("the menu of a phone closes again", async ({ open }) => {
  const page = await openPath(open, "/");
  const menu = page.getByRole("navigation", { name: "Menu" });
  await page.getByRole("button", { name: "Menu", exact: true }).click();
  await page.getByRole("button", { name: "Close menu" }).click();
  await menu.waitFor({ state: "hidden" });
});

/** The lists of questions, by the page they are on. */
const lists = [
  ["home", pages.home.path, homeQuestions],
  ["support", pages.support.path, supportTopics],
  ...faqGroups.map(({ title, questions }) => [`faq, ${title}`, pages.faq.path, questions] as const),
] as const;

for (const [_name, path, questions] of lists)
  test(`the list of ${_name} shows one answer at a time`, async ({ open }) => {
    const page = await openPath(open, path);
    const answers = questions.map(({ id }) => page.locator(`[id="${id}"]`));
    const shown = async () =>
      (await Promise.all(answers.map((each) => each.isVisible()))).filter(Boolean).length;
    expect(await shown()).toBe(0);
    for (const [index, { question }] of questions.entries()) {
      await page.locator("summary").getByText(question, { exact: true }).click();
      expect(await answers[index]?.isVisible()).toBe(true);
      expect(await shown()).toBe(1);
    }
  });

test("a link to an answer opens it", async ({ open }) => {
  const page = await openPath(open, `${pages.support.path}#private-post`);
  await page.locator("#private-post").waitFor({ state: "visible" });
});

test.describe("what needs script says so", () => {
  const noteOf = (page: Page) => page.locator("noscript p");

  test("the tool", async ({ open }) => {
    const page = await openPath(open, "/");
    expect(await noteOf(page).innerText()).toMatch(/^The form needs JavaScript, .+ switch it on/);
    // Nothing is offered that could not be done.
    expect(await page.getByRole("button", { name: "Paste" }).count()).toBe(0);
  });

  for (const path of [pages.contact.path, pages.feedback.path, pages.reportIssue.path])
    test(`${path}, with an address to write to instead, and a press puts nothing into the address`, async ({
      open,
    }) => {
      const page = await openPath(open, path);
      expect(await noteOf(page).innerText()).toMatch(/^The form needs JavaScript, for the human check\./);
      expect(await noteOf(page).locator("a").getAttribute("href")).toMatch(/^mailto:.+@/);
      await page.getByRole("textbox", { name: "Name" }).fill("Ada Lovelace");
      await page.getByRole("button", { name: /^(Send|Submit) / }).click();
      expect(page.url()).toBe(servers.app.url + path);
    });

  test("a step asks to start over", async ({ open }) => {
    const page = await openPath(open, "/verification/");
    await page.getByRole("link", { name: "Start from Step 1" }).click();
    await page.waitForURL(`${servers.app.url}/`);
  });

  test("Get Started leads to the field", async ({ open }) => {
    const page = await openPath(open, "/");
    await page.getByRole("link", { name: "Get Started" }).click();
    // What is typed now lands in the field; its label is in view.
    await page.keyboard.type("https");
    expect(await page.getByRole("textbox").inputValue()).toBe("https");
    const label = await page.getByText("Link of your Instagram post or reel").boundingBox();
    expect(label?.y).toBeGreaterThanOrEqual(0);
    expect(label?.y).toBeLessThan(600);
  });

  test("a missing page leads home", async ({ open }) => {
    const page = await openPath(open, "/no-such-page");
    await page.getByRole("link", { name: "Back to Home" }).click();
    await page.waitForURL(`${servers.app.url}/`);
  });
});
