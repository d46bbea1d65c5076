import type { Page } from "@playwright/test";
import { captchaOf, passCaptcha, tabTo } from "@/testing/browser/flow-pages";
import { fillInForm, formPages, pressSend } from "@/testing/browser/form-pages";
import { goodInput } from "@/testing/good-input";
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

/** Moves the focus to an element, and presses Enter. */
async function activate(page: Page, role: "button" | "link", name: string): Promise<void> {
  await tabTo(page, role, name);
  await press(page, "Enter");
}

/** Waits until the heading of the page has the focus. */
async function expectFocusedHeading(page: Page, name: string): Promise<void> {
  await expect(page.getByRole("heading", { level: 1, name, exact: true })).toBeFocused();
}

const focused = (page: Page) => page.locator(":focus");
const challenge = "**/api/recaptcha/challenge";

test.describe("with the keyboard alone", () => {
  test("home, a wrong link, a missing captcha, step 2 and an order from the preview", async ({ open }) => {
    const { page, problems } = await open(servers.app.url);
    // Otherwise a valid link is enough to pass the captcha.
    await page.route(challenge, (route) => route.abort());
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
    await activate(page, "button", "I'll Complete the Verification");
    await expect(captchaOf(page).getByRole("checkbox")).toBeFocused();
    await page.unroute(challenge);
    await press(page, "Space");
    await page.getByText("Verification complete.").waitFor({ state: "attached" });
    await activate(page, "button", "Continue to Next Step");

    await page.waitForURL(/\/verification\/$/);
    await expectFocusedHeading(page, "Checking Your Instagram Post");
    await activate(page, "link", "Preview this post");
    await page.waitForURL(/\/preview\//);
    await button(page, "Get 50 Free Likes").waitFor();
    await activate(page, "button", "Get 50 Free Likes");
    await expectFocusedHeading(page, "Likes Delivered Successfully!");
    await activate(page, "link", "Back to Home");
    await page.waitForURL(`${servers.app.url}/`);
    expect(problems.filter((problem) => !problem.endsWith("ERR_FAILED"))).toEqual([]);
  });

  test("steps 2 to 4", async ({ open }) => {
    const as = await visitorAtStep3(servers.app.url);
    const { page } = await open(`${servers.app.url}/verification/`, { as, clock: true });
    await page.getByRole("link", { name: "Continue to Get Likes" }).waitFor();
    await activate(page, "link", "Continue to Get Likes");
    await page.waitForURL(/\/get-likes\/$/);
    await expectFocusedHeading(page, "Get 50 Free Instagram Likes");
    await activate(page, "button", "Send 50 Free Likes");
    await expect(button(page, "Sending Likes...")).toBeFocused();
    await page.clock.fastForward(20_000);
    await page.waitForURL(/\/success\/$/);
    await expectFocusedHeading(page, "Likes Delivered Successfully!");
    await activate(page, "link", "Boost Another Post");
    await page.waitForURL(`${servers.app.url}/`);
  });

  test("F8 moves the focus to a toast, which then stays until it is closed", async ({ open }) => {
    const { page } = await open(`${servers.app.url}/report-issue/`, { clock: true });
    await fillInForm(page, goodInput.issue);
    await passCaptcha(page);
    await pressSend(page, "issue");
    const note = page.getByRole("listitem").filter({ hasText: "Issue reported!" });
    await note.waitFor();
    await press(page, "F8");
    await page.clock.fastForward(20_000);
    await expect(note).toBeVisible();
    await activate(page, "button", "Close");
    await expect(note).toHaveCount(0);
  });

  for (const menu of [
    { width: 360, opener: "Menu", nav: "Menu", first: "Close menu" },
    { width: 1280, opener: "Support", nav: "Main", first: "Support Center" },
  ])
    test(`the skip link, and the menu at ${menu.width} px with Escape`, async ({ open }) => {
      const { page } = await open(`${servers.app.url}/faq`, { viewport: { width: menu.width, height: 640 } });
      await press(page, "Tab");
      await expect(focused(page)).toHaveAccessibleName("Skip to main content");
      await activate(page, "button", menu.opener);
      await press(page, "Tab");
      await expect(focused(page)).toHaveAccessibleName(menu.first);
      // On phones, the menu covers the page.
      await expect(page.locator("main[inert], footer[inert]")).toHaveCount(menu.width === 360 ? 2 : 0);
      await tabTo(page, "link", "Contact Us");
      const link = page.getByRole("navigation", { name: menu.nav }).getByRole("link", { name: "Contact Us" });
      await expect(link).toBeFocused();
      await press(page, "Escape");
      await expect(link).toBeHidden();
      await expect(focused(page)).toHaveAccessibleName(menu.opener);
    });
});

test.describe("a screen reader says", () => {
  let page: Page;
  let said: () => Promise<string[]>;
  let visitor: Visitor;

  async function openAs(visitor: Visitor, path: string): Promise<void> {
    await addCookies(page.context(), servers.app.url, visitor);
    await page.goto(servers.app.url + path);
  }

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
    await openAs(visitor, "/verification/");
    await page.getByRole("link", { name: "Continue to Get Likes" }).waitFor();
    await expectFocusedHeading(page, "Checking Your Instagram Post");
    expect(await said()).toEqual([
      "polite: Checking your free likes...This usually takes less than 10 seconds.",
      "heading, Checking Your Instagram Post, Your post is public: it can get likes., level 1",
    ]);
  });

  test("each milestone of the progress once, then the success", async () => {
    await openAs(visitor, "/get-likes/");
    await button(page, "Send 50 Free Likes").waitFor();
    await expectFocusedHeading(page, "Get 50 Free Instagram Likes");
    await said();
    await button(page, "Send 50 Free Likes").press("Enter");
    for (let seconds = 0; seconds < 10; seconds += 1) await page.clock.runFor(1_000);
    const progress = await said();
    expect(progress.filter((phrase) => /^(?:polite|assertive)/.test(phrase))).toEqual([
      "polite: The dots become rings when your request is sent; until then nothing is counted." +
        "Connecting to Instagram...0%Please don't close this page. Your likes are being delivered.",
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
    await openAs(await returningVisitor(servers.app.url), "/verification/");
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
  await page.route(challenge, (route) => route.abort());
  await page.getByRole("textbox").fill(postLink);
  await press(page, "Enter");
  await page.getByRole("dialog", { name: "Verification Required" }).waitFor();
  expect(await moving()).toEqual([]);
});
