import type { Locator, Page } from "@playwright/test";
import { indexablePages, pages, previewPath } from "@/lib/http/pages";
import { openDisclosures, readVisible } from "@/testing/browser/visible";
import { postCode } from "@/testing/sample-posts";
import { expect, test, useServers } from "@/testing/test";
import { visitorAtStep3 } from "@/testing/visitor";

const servers = useServers();

test.use({ javaScriptEnabled: false });

const phone = {
  name: "a phone",
  paths: [...indexablePages.map(({ path }) => path), "/no-such-page"],
  menu: { opener: "Menu", name: "Menu", link: "Disclaimer", target: /\/disclaimer$/ },
};
const desktop = {
  name: "a desktop",
  viewport: { width: 1280, height: 800 },
  // These pages have another layout on a wide screen.
  paths: [pages.home, pages.faq, pages.contact, pages.terms].map(({ path }) => path),
  menu: { opener: "Support", name: "Main", link: "Contact Us", target: /\/contact$/ },
};

for (const { name, menu, paths, ...look } of [phone, desktop])
  test(`pages on ${name} hide only the content of disclosures, show one answer at a time, and their menu works`, async ({
    open,
  }) => {
    const { page } = await open(undefined, look);
    for (const path of paths)
      await test.step(path, async () => {
        await page.goto(servers.app.url + path);
        const main = page.locator("main");
        await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
        const { text, hidden } = await readVisible(main);
        expect(text.length).toBeGreaterThan(path === "/no-such-page" ? 100 : 500);
        // Phones and desktops show different copies of an index. Go Back and the tool need JavaScript. Phones have no caption.
        const needsScript: string[] = [];
        for (const part of await main.locator("[data-go-back], #tool, #dots, [href='#post-link']").all())
          needsScript.push(...(await readVisible(part)).hidden);
        expect(hidden.filter((string) => !text.includes(string))).toEqual(
          needsScript.filter((string) => !text.includes(string)),
        );
        // Browsers keep only one disclosure of a name open.
        const hasAnswers = ["/", "/faq", "/support"].includes(path);
        expect((await main.locator("details[name]").count()) > 0).toBe(hasAnswers);
        const disclosures = main.locator("details:visible");
        if ((await disclosures.count()) > 0)
          for (const each of [disclosures.first(), disclosures.last()]) await expectToOpen(each);
        await openDisclosures(page);
        const opened = await readVisible(main);
        const lost = opened.hidden.filter((string) => !opened.text.includes(string));
        expect(lost.filter((string) => !needsScript.includes(string))).toEqual([]);
        const link = page.getByRole("navigation", { name: menu.name }).getByRole("link", { name: menu.link });
        await expect(link).toBeHidden();
        await page.getByRole("button", { name: menu.opener, exact: true }).click();
        await link.click();
        await expect(page).toHaveURL(menu.target);
      });
  });

/** Opens a disclosure. Checks that the other answers of its list are closed. */
async function expectToOpen(disclosure: Locator): Promise<void> {
  const summary = disclosure.locator("summary");
  if ((await disclosure.getAttribute("open")) === null) await summary.click();
  await expect(disclosure).toHaveAttribute("open");
  const name = await disclosure.getAttribute("name");
  if (name) await expect(disclosure.page().locator(`details[name="${name}"][open]`)).toHaveCount(1);
}

test("opens the answer of a URL", async ({ open }) => {
  const { page } = await open(`${servers.app.url}${pages.support.path}#private-post`);
  await expect(page.locator("#private-post")).toBeVisible();
});

const noteOf = (page: Page) => page.locator("noscript p");

test("the home page says that its form needs JavaScript, and shows nothing that does not work", async ({
  open,
}) => {
  const { page } = await open(servers.app.url);
  await expect(noteOf(page)).toHaveText(/^The form needs JavaScript, .+ switch it on/);
  for (const role of ["textbox", "checkbox"] as const) await expect(page.getByRole(role)).toHaveCount(0);
  await expect(page.locator("main").getByRole("button")).toHaveCount(0);
});

for (const path of [pages.contact.path, pages.feedback.path, pages.reportIssue.path])
  test(`${path} shows an e-mail address instead, and writes no input into the URL`, async ({ open }) => {
    const { page } = await open(servers.app.url + path);
    await expect(noteOf(page)).toHaveText(/^The form needs JavaScript, for the human check\./);
    await expect(noteOf(page).locator("a")).toHaveAttribute("href", /^mailto:.+@/);
    await page.getByRole("textbox", { name: "Name" }).fill("Ada Lovelace");
    await page.getByRole("button", { name: /^(Send|Submit) / }).click();
    expect(page.url()).toBe(servers.app.url + path);
  });

for (const path of ["/verification/", "/get-likes/", previewPath(postCode), "/success/"])
  test(`${path} says that it needs JavaScript, and shows no progress`, async ({ open }) => {
    const visitor = await visitorAtStep3(servers.app.url);
    if (path === "/success/") await visitor.like();
    const { page } = await open(servers.app.url + path, { as: visitor });
    await expect(noteOf(page)).toHaveText(/^This step needs JavaScript\..+ load this page again\.$/);
    await expect(page.getByText(/\.\.\.$|^This usually/).filter({ visible: true })).toHaveCount(0);
  });
