import type { Page } from "@playwright/test";
import { captchaOf, tabTo } from "@/testing/browser/flow-pages";
import { formPages } from "@/testing/browser/form-pages";
import { addCookies, openPage } from "@/testing/browser/open-page";
import { listen } from "./screen-reader";
import { postLink } from "@/testing/sample-posts";
import { expect, test, useServers } from "@/testing/test";
import { returningVisitor, visitorAtStep3, type Visitor } from "@/testing/visitor";

/* Focus, screen reader output, forced colours. screens.browser.test.ts checks all screens with axe and in size. */

const servers = useServers();

const wrongLink = "https://www.instagram.com/someone/";
const button = (page: Page, name: string) => page.getByRole("button", { name });
const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};

/** Waits until the heading of the page has the focus. */
async function expectFocusedHeading(page: Page, name: string): Promise<void> {
  await expect(page.getByRole("heading", { level: 1, name, exact: true })).toBeFocused();
}

async function solveByKeyboard(page: Page): Promise<void> {
  await press(page, "Space");
  await page.getByText("Verification complete.").waitFor({ state: "attached" });
}

/** Returns the name of the focused element. */
const focused = (page: Page) =>
  page.evaluate(
    () => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent,
  );

/** Opens a page with a visitor's cookies. */
async function openAs(page: Page, visitor: Visitor, path: string): Promise<void> {
  await addCookies(page.context(), servers.app.url, visitor);
  await page.goto(servers.app.url + path);
}

test.describe("with the keyboard alone", () => {
  test("home, a wrong link, a missing captcha, step 2 and an order from the preview", async ({ open }) => {
    const { page, problems } = await open(servers.app.url);
    const field = page.getByRole("textbox");
    await tabTo(page, "textbox");
    await page.keyboard.insertText(wrongLink);
    await press(page, "Enter");
    await page.getByText("That looks like a profile.").waitFor();
    await expect(field).toBeFocused();

    await field.selectText();
    await page.keyboard.insertText(postLink);
    await press(page, "Enter");
    await page.getByRole("dialog", { name: "Verification Required" }).waitFor();
    await tabTo(page, "button", "I'll Complete the Verification");
    await press(page, "Enter");
    await expect(captchaOf(page).getByRole("checkbox")).toBeFocused();
    await solveByKeyboard(page);
    await tabTo(page, "button", "Continue to Next Step");
    await press(page, "Enter");

    await page.waitForURL(/\/verification\/$/);
    await expectFocusedHeading(page, "Checking Your Instagram Post");
    await tabTo(page, "link", "Preview this post");
    await press(page, "Enter");
    await page.waitForURL(/\/preview\//);
    await button(page, "Get 50 Free Likes").waitFor();
    await tabTo(page, "button", "Get 50 Free Likes");
    await press(page, "Enter");
    await expectFocusedHeading(page, "Likes Delivered Successfully!");
    await tabTo(page, "link", "Back to Home");
    await press(page, "Enter");
    await page.waitForURL(`${servers.app.url}/`);
    expect(problems).toEqual([]);
  });

  test("steps 2 to 4", async ({ open }) => {
    const { page } = await open(undefined, { clock: true });
    await openAs(page, await visitorAtStep3(servers.app.url), "/verification/");
    await page.getByRole("link", { name: "Continue to Get Likes" }).waitFor();
    await tabTo(page, "link", "Continue to Get Likes");
    await press(page, "Enter");
    await page.waitForURL(/\/get-likes\/$/);
    await expectFocusedHeading(page, "Get 50 Free Instagram Likes");
    await tabTo(page, "button", "Send 50 Free Likes");
    await press(page, "Enter");
    await expect(button(page, "Sending Likes...")).toBeFocused();
    await page.clock.fastForward(20_000);
    await page.waitForURL(/\/success\/$/);
    await expectFocusedHeading(page, "Likes Delivered Successfully!");
    await tabTo(page, "link", "Boost Another Post");
    await press(page, "Enter");
    await page.waitForURL(`${servers.app.url}/`);
  });

  test("a form: the error summary, the fields and the toast", async ({ open }) => {
    const { page } = await open(`${servers.app.url}/report-issue/`, { clock: true });
    const send = "Submit Report";
    await tabTo(page, "button", send);
    await press(page, "Enter");
    const summary = page.getByRole("group", { name: "There is a problem" });
    await expect(summary).toBeFocused();
    await expect(summary.getByRole("link")).toHaveCount(6);
    // The first link leads to the first field. Tab then leads from field to field.
    await press(page, "Tab", "Enter");
    await page.keyboard.type("Ada Lovelace");
    await press(page, "Tab");
    await page.keyboard.type("ada@example.com");
    for (let left = 20; left > 0 && !(await focused(page))?.startsWith(send); left -= 1) {
      await press(page, "Tab");
      const kind = await page.evaluate(
        () => document.activeElement?.getAttribute("type") ?? document.activeElement?.tagName,
      );
      if (kind === "SELECT") await press(page, "ArrowDown");
      else if (kind === "text" || kind === "TEXTAREA") await page.keyboard.type("It works very well.");
      else if (kind === "checkbox" && (await inCaptcha(page))) await solveByKeyboard(page);
      else if (kind === "checkbox") await press(page, "Space");
    }
    await press(page, "Enter");
    const note = page.getByRole("listitem").filter({ hasText: "Issue reported!" });
    await note.waitFor();
    // F8 moves the focus to the toast, which then stays.
    await press(page, "F8");
    await page.clock.fastForward(20_000);
    await expect(note).toBeVisible();
    await tabTo(page, "button", "Close");
    await press(page, "Enter");
    await expect(note).toHaveCount(0);
  });

  for (const menu of [
    { width: 360, opener: "Menu", nav: "Menu", first: "Close menu" },
    { width: 1280, opener: "Support", nav: "Main", first: "Support Center" },
  ])
    test(`the skip link, and the menu at ${menu.width} px with Escape`, async ({ open }) => {
      const { page } = await open(`${servers.app.url}/faq`, { viewport: { width: menu.width, height: 640 } });
      await press(page, "Tab");
      expect(await focused(page)).toBe("Skip to main content");
      await tabTo(page, "button", menu.opener);
      await press(page, "Enter", "Tab");
      expect(await focused(page)).toBe(menu.first);
      for (let left = 12; left > 0 && (await focused(page)) !== "Contact Us"; left -= 1)
        await press(page, "Tab");
      const link = page.getByRole("navigation", { name: menu.nav }).getByRole("link", { name: "Contact Us" });
      await expect(link).toBeFocused();
      await press(page, "Escape");
      await expect(link).toBeHidden();
      expect((await focused(page))?.trim()).toBe(menu.opener);
    });
});

const inCaptcha = (page: Page) => captchaOf(page).evaluate((box) => box.contains(document.activeElement));

test.describe("a screen reader says", () => {
  let page: Page;
  let said: () => Promise<string[]>;
  let visitor: Visitor;

  test.beforeAll(async ({ browser }) => {
    ({ page } = await openPage(browser));
    await page.clock.install();
    // The shortest progress: ten seconds.
    await page.addInitScript(() => (Math.random = () => 0));
    said = await listen(page);
    visitor = await visitorAtStep3(servers.app.url);
  });
  test.afterAll(() => page.context().close());

  test("the error of the link field, and the passed captcha", async () => {
    await page.goto(servers.app.url);
    await page.getByRole("textbox").fill(wrongLink);
    await said();
    await press(page, "Enter");
    await page.getByText("That looks like a profile.").waitFor();
    expect(await said()).toEqual([expect.stringMatching(/^polite: Error: Must be a valid Instagram post/)]);
    await page.getByRole("textbox").fill("hello");
    await button(page, "Continue to Next Step").click();
    await page.getByText("Must be a valid URL").waitFor();
    expect((await said()).filter((phrase) => phrase.includes("Error:"))).toHaveLength(1);
    await page.getByRole("textbox").fill(wrongLink);
    await page.getByRole("textbox").blur();
    await page.getByRole("textbox").focus();
    expect((await said()).at(-1)).toBe(
      `textbox, Link of your Instagram post or reel, ${wrongLink}, ` +
        "Error: Must be a valid Instagram post or reel URL That looks like a profile. " +
        "Open one post or reel of it and copy its link., invalid, required",
    );
    await captchaOf(page).getByRole("checkbox").click();
    await page.getByText("Verification complete.").waitFor({ state: "attached" });
    expect((await said()).join()).toMatch(/polite: Verifying\.\.\..*polite: Verification complete\./);
  });

  test("the loading message of step 2, then the result with the heading", async () => {
    // As slow as a phone's network. A screen reader does not say a text that disappears at once.
    await page.route(/post-details|instagram\/status/, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 300));
      await route.continue();
    });
    await openAs(page, visitor, "/verification/");
    await page.getByRole("link", { name: "Continue to Get Likes" }).waitFor();
    await expectFocusedHeading(page, "Checking Your Instagram Post");
    expect(await said()).toEqual([
      "polite: Checking your free likes...This usually takes less than 10 seconds.",
      "heading, Checking Your Instagram Post, Your post is public: it can get likes., level 1",
    ]);
  });

  test("each milestone of the progress once, then the success", async () => {
    await openAs(page, visitor, "/get-likes/");
    await button(page, "Send 50 Free Likes").waitFor();
    await expectFocusedHeading(page, "Get 50 Free Instagram Likes");
    await said();
    await button(page, "Send 50 Free Likes").press("Enter");
    for (let seconds = 0; seconds < 10; seconds += 1) await page.clock.runFor(1_000);
    const progress = await said();
    expect(progress.filter((phrase) => /^(?:polite|assertive)/.test(phrase))).toEqual([
      "polite: Connecting to Instagram...0%Please don't close this page. Your likes are being delivered." +
        "Your request is sent when the bar is full; until then nothing is counted.",
      "polite: Verifying post...",
      "polite: Processing request...",
      "polite: Sending likes...",
      "polite: Finalizing...",
      "polite: Almost done!",
    ]);
    await page.clock.runFor(1_000);
    await page.waitForURL(/\/success\/$/);
    await expectFocusedHeading(page, "Likes Delivered Successfully!");
    expect((await said())[0]).toMatch(/^heading, Likes Delivered Successfully!, .+, level 1$/);
  });

  test("the heading of the wait, and nothing for the countdown", async () => {
    await openAs(page, await returningVisitor(servers.app.url), "/verification/");
    await page.getByRole("timer").waitFor();
    await expectFocusedHeading(page, "Rate Limit Reached");
    expect(await said()).toContain("heading, Rate Limit Reached, level 1");
    await page.clock.runFor(3_000);
    expect(await said()).toEqual([]);
  });

  for (const { path, button: send } of [formPages.contact, formPages.feedback, formPages.issue])
    test(`the error of a field of ${path}, then only the name of the error summary`, async () => {
      await page.goto(servers.app.url + path);
      const email = page.getByRole("textbox", { name: "Email" });
      await email.fill("nobody");
      await said();
      await press(page, "Tab");
      await page.locator("[id$=email-error]").waitFor();
      expect(await said()).toContainEqual(expect.stringMatching(/^polite: Error: /));
      await email.fill("ada@example.com");
      await said();
      await button(page, send).click();
      await page.getByRole("group", { name: "There is a problem" }).waitFor();
      const phrases = (await said()).filter((phrase) => /Error|problem/.test(phrase));
      expect(phrases).toEqual(["group, There is a problem"]);
    });
});

test("forced colours keep the frames and the focus ring, and reduced motion stops animations", async ({
  open,
}) => {
  const { page } = await open(servers.app.url, { forcedColors: "active", reducedMotion: "reduce" });
  await button(page, "Paste").waitFor();
  const framed = (element: Element) => {
    const { borderTopStyle, borderTopWidth, borderTopColor } = getComputedStyle(element);
    const page = getComputedStyle(document.body).backgroundColor;
    return borderTopStyle === "solid" && borderTopWidth !== "0px" && borderTopColor !== page;
  };
  for (const control of [
    page.getByRole("textbox"),
    button(page, "Paste"),
    button(page, "Continue to Next Step"),
  ]) {
    expect(await control.evaluate(framed)).toBe(true);
  }
  await tabTo(page, "textbox");
  await expect(page.getByRole("textbox")).toHaveCSS("outline-style", "solid");

  // Without reduced motion, the message and the dialog fade in.
  await page.keyboard.insertText(wrongLink);
  await press(page, "Enter");
  await page.getByText("That looks like a profile.").waitFor();
  const moving = () =>
    page.evaluate(() =>
      document
        .getAnimations()
        .filter((animation) => Number(animation.effect?.getComputedTiming().duration) > 1)
        .map((animation) => (animation as CSSAnimation).animationName ?? animation.id),
    );
  expect(await moving()).toEqual([]);
  await page.getByRole("textbox").fill(postLink);
  await press(page, "Enter");
  await page.getByRole("dialog", { name: "Verification Required" }).waitFor();
  expect(await moving()).toEqual([]);
});
