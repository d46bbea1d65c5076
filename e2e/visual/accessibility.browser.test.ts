import { expect, test, useServers } from "../support/test";
import type { Page } from "@playwright/test";
import { pages } from "@/lib/http/pages";
import { captchaOf, fitsWidth, tabTo } from "../support/browser/flow-pages";
import { lostText, smallTargets, spaceText } from "../support/browser/layout-checks";
import { linkOf, postCode, postLink, sandboxCodes } from "../support/sample-posts";
import { listen } from "../support/browser/screen-reader";
import { returningVisitor, Visitor, visitorAtStep3 } from "../support/visitor";
import { addCookies, openPage } from "../support/browser/open-page";

/* What axe cannot see: where the focus goes, what is said and when, and what enlarged or spaced text does to a page. */

const servers = useServers();

const button = (page: Page, name: string) => page.getByRole("button", { name });
const press = (page: Page, ...keys: string[]) =>
  keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());

/** Waits until the focus is on the page's heading, and returns its words. */
async function focusedHeading(page: Page): Promise<string> {
  await page.waitForFunction(() => document.activeElement?.tagName === "H1");
  return page.getByRole("heading", { level: 1 }).innerText();
}

async function solveByKeyboard(page: Page): Promise<void> {
  await press(page, "Space");
  await page.getByText("Verification complete.").waitFor({ state: "attached" });
}

/** The words of whatever has the focus. */
const focused = (page: Page) =>
  page.evaluate(
    () => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent,
  );

test.describe("with the keyboard alone", () => {
  test("the flow: a wrong link, a missing check, the order from the preview, and the wait afterwards", async ({
    open,
  }) => {
    const { page, problems } = await open(servers.app.url);
    await tabTo(page, "textbox");
    await page.keyboard.insertText("https://www.instagram.com/someone/");
    await press(page, "Enter");
    await page.getByText("That looks like a profile.").waitFor();
    expect(await page.getByRole("textbox").evaluate((field) => field === document.activeElement)).toBe(true);

    await page.getByRole("textbox").selectText();
    await page.keyboard.insertText(postLink);
    await press(page, "Enter");
    await page.getByRole("dialog", { name: "Verification Required" }).waitFor();
    await tabTo(page, "button", "I'll Complete the Verification");
    await press(page, "Enter");
    // The dialog hands the focus on to what it asked for.
    await page.waitForFunction(() => document.activeElement?.getAttribute("type") === "checkbox");
    await solveByKeyboard(page);
    await tabTo(page, "button", "Continue to Next Step");
    await press(page, "Enter");

    await page.waitForURL(/\/verification\/$/);
    expect(await focusedHeading(page)).toBe("Checking Your Instagram Post");
    await tabTo(page, "link", "Preview this post");
    await press(page, "Enter");
    await page.waitForURL(/\/preview\//);
    await button(page, "Get 50 Free Likes").waitFor();
    await tabTo(page, "button", "Get 50 Free Likes");
    await press(page, "Enter");
    await page.getByText("Likes Delivered Successfully!").waitFor();
    expect(await focusedHeading(page)).toBe("Likes Delivered Successfully!");
    await tabTo(page, "button", "Back to Home");
    await press(page, "Enter");
    await page.waitForURL(`${servers.app.url}/`);
    expect(problems).toEqual([]);
  });

  test("step 3 and 4: the heading has the focus, and the buttons follow", async ({ open }) => {
    const { page } = await open(undefined, { clock: true });
    await openAs(page, await visitorAtStep3(servers.app.url), "/get-likes/");
    expect(await focusedHeading(page)).toBe("Get 50 Free Instagram Likes");
    await tabTo(page, "button", "Send 50 Free Likes");
    await press(page, "Enter");
    await button(page, "Sending Likes...").waitFor();
    // The control that was pressed stays under the finger while it works.
    expect(await focused(page)).toBe("Sending Likes...");
    await page.clock.fastForward(20_000);
    await page.waitForURL(/\/success\/$/);
    expect(await focusedHeading(page)).toBe("Likes Delivered Successfully!");
    await tabTo(page, "link", "Boost Another Post");
    await press(page, "Enter");
    await page.waitForURL(`${servers.app.url}/`);
  });

  test("a private post: on to its page, and home again", async ({ open }) => {
    const { page } = await open();
    const visitor = new Visitor(servers.app.url);
    await visitor.verify(linkOf(sandboxCodes.private));
    await openAs(page, visitor, "/verification/");
    await page.waitForURL(/\/private-account-error\/$/);
    await tabTo(page, "link", "Try Another Post");
    await press(page, "Enter");
    await page.waitForURL(`${servers.app.url}/`);
  });

  for (const { form, send, problems, toast } of [
    { form: "/contact/", send: "Send Message", problems: 5, toast: "Message sent!" },
    { form: "/report-issue/", send: "Submit Report", problems: 6, toast: "Issue reported!" },
  ])
    test(`${form}: refused, filled in by way of the summary, sent`, async ({ open }) => {
      const { page } = await open(servers.app.url + form, { clock: true });
      await tabTo(page, "button", send);
      await press(page, "Enter");
      const summary = page.getByRole("group", { name: "There is a problem" });
      await summary.waitFor();
      expect(await summary.evaluate((box) => box === document.activeElement)).toBe(true);
      expect(await summary.getByRole("link").count()).toBe(problems);
      // The first link leads to the first field; from there on it is one field after the other.
      await press(page, "Tab", "Enter");
      await page.keyboard.type("Ada Lovelace");
      await press(page, "Tab");
      await page.keyboard.type("ada@example.com");
      for (let left = 20; left > 0 && !(await focused(page))?.startsWith(send); left -= 1) {
        await press(page, "Tab");
        const kind = await page.evaluate(
          () => document.activeElement?.getAttribute("type") ?? document.activeElement?.tagName,
        );
        if (kind === "SELECT" || kind === "select-one") await press(page, "ArrowDown");
        else if (kind === "text" || kind === "TEXTAREA") await page.keyboard.type("It works very well.");
        else if (kind === "checkbox" && (await inCaptcha(page))) await solveByKeyboard(page);
        else if (kind === "checkbox") await press(page, "Space");
      }
      await press(page, "Enter");
      const note = page.getByRole("listitem").filter({ hasText: toast });
      await note.waitFor();
      // Enough time: it waits for whoever goes there, and goes when they say so.
      await press(page, "F8");
      await page.clock.fastForward(20_000);
      expect(await note.isVisible()).toBe(true);
      await tabTo(page, "button", "Close");
      await press(page, "Enter");
      await note.waitFor({ state: "detached" });
    });

  for (const menu of [
    { width: 360, opener: "Menu", nav: "Menu", first: "Close menu" },
    { width: 1280, opener: "Support", nav: "Main", first: "Support Center" },
  ])
    test(`the menu at ${menu.width} px opens, is gone through, and gives the focus back`, async ({
      open,
    }) => {
      const { page } = await open(`${servers.app.url}/faq`, { viewport: { width: menu.width, height: 640 } });
      await press(page, "Tab");
      expect(await focused(page)).toBe("Skip to main content");
      await tabTo(page, "button", menu.opener);
      await press(page, "Enter", "Tab");
      expect(await focused(page)).toBe(menu.first);
      for (let left = 12; left > 0 && (await focused(page)) !== "Contact Us"; left -= 1)
        await press(page, "Tab");
      const link = page.getByRole("navigation", { name: menu.nav }).getByRole("link", { name: "Contact Us" });
      expect(await link.evaluate((element) => element === document.activeElement)).toBe(true);
      await press(page, "Escape");
      await link.waitFor({ state: "hidden" });
      expect((await focused(page))?.trim()).toBe(menu.opener);
    });
});

const inCaptcha = (page: Page) => captchaOf(page).evaluate((box) => box.contains(document.activeElement));

/** Opens a page with a visitor's cookies. */
async function openAs(page: Page, visitor: Visitor, path: string): Promise<void> {
  await addCookies(page.context(), servers.app.url, visitor);
  await page.goto(servers.app.url + path);
}

test.describe("a screen reader says", () => {
  let page: Page;
  let said: () => Promise<string[]>;
  let visitor: Visitor;

  test.beforeAll(async ({ browser }) => {
    ({ page } = await openPage(browser));
    await page.clock.install();
    // The shortest simulated progress: ten seconds.
    await page.addInitScript(() => (Math.random = () => 0));
    said = await listen(page);
    visitor = await visitorAtStep3(servers.app.url);
  });
  test.afterAll(() => page.context().close());

  test("what has the focus when a page opens", async () => {
    await page.goto(
      `data:text/html,<h1 tabindex="-1">Here</h1><script>document.querySelector("h1").focus()</script>`,
    );
    expect(await said()).toContain("heading, Here, level 1");
  });

  test("what is wrong with a link, at the field itself, and that the check is passed", async () => {
    await page.goto(servers.app.url);
    await page.getByRole("textbox").fill("https://www.instagram.com/someone/");
    await said();
    await press(page, "Enter");
    await page.getByText("That looks like a profile.").waitFor();
    await page.getByRole("textbox").blur();
    await page.getByRole("textbox").focus();
    expect((await said()).at(-1)).toBe(
      "textbox, Link of your Instagram post or reel, https://www.instagram.com/someone/, " +
        "Error: Must be a valid Instagram post or reel URL That looks like a profile. " +
        "Open one post or reel of it and copy its link., invalid, required",
    );
    await captchaOf(page).getByRole("checkbox").click();
    await page.getByText("Verification complete.").waitFor({ state: "attached" });
    expect(await said()).toContain("polite: Verification complete.");
  });

  test("step 2: that it is being checked, and then the outcome with the heading", async () => {
    // As slow as over a phone's network: what is gone at once is not said.
    await page.route(/post-details|instagram\/status/, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 300));
      await route.continue();
    });
    await openAs(page, visitor, "/verification/");
    await button(page, "Continue to Get Likes").waitFor();
    await focusedHeading(page);
    expect(await said()).toEqual([
      "polite: Checking your free likes...This usually takes less than 10 seconds.",
      "heading, Checking Your Instagram Post, Your post is public: it can get likes., level 1",
    ]);
  });

  test("the progress at its milestones, once each, and then the success", async () => {
    await openAs(page, visitor, "/get-likes/");
    await button(page, "Send 50 Free Likes").waitFor();
    await focusedHeading(page);
    await said();
    await button(page, "Send 50 Free Likes").press("Enter");
    for (let seconds = 0; seconds < 10; seconds += 1) await page.clock.runFor(1_000);
    const progress = await said();
    expect(progress.filter((phrase) => /^(?:polite|assertive)/.test(phrase))).toEqual([
      "polite: Verifying post...",
      "polite: Processing request...",
      "polite: Sending likes...",
      "polite: Finalizing...",
      "polite: Almost done!",
    ]);
    await page.clock.runFor(1_000);
    await page.waitForURL(/\/success\/$/);
    await focusedHeading(page);
    expect((await said())[0]).toMatch(/^heading, Likes Delivered Successfully!, .+, level 1$/);
  });

  test("the wait, with the heading that says so", async () => {
    await addCookies(page.context(), servers.app.url, await returningVisitor(servers.app.url));
    await page.goto(`${servers.app.url}/verification/`);
    await page.getByRole("timer").waitFor();
    await focusedHeading(page);
    const heard = await said();
    expect(heard).toContain("heading, Rate Limit Reached, level 1");
    // The countdown counts for the eyes alone.
    await page.clock.runFor(3_000);
    expect(await said()).toEqual([]);
  });

  test("what is wrong with a form, and that it was sent", async () => {
    await page.goto(`${servers.app.url}/contact/`);
    await button(page, "Send Message").click();
    await page.getByRole("group", { name: "There is a problem" }).waitFor();
    expect((await said()).at(-1)).toBe("group, There is a problem");
  });
});

test.describe("at 200 % of 640 pixels, and with spaced text", () => {
  interface Screen {
    name: string;
    path: string;
    as?: () => Visitor;
    ready?: (page: Page) => Promise<unknown>;
  }
  let newcomer: Visitor;
  let verified: Visitor;
  let ordered: Visitor;
  let returning: Visitor;

  test.beforeAll(async () => {
    newcomer = new Visitor(servers.app.url);
    [verified, ordered, returning] = await Promise.all([
      visitorAtStep3(servers.app.url),
      visitorAtStep3(servers.app.url),
      returningVisitor(servers.app.url),
    ]);
    await ordered.like();
  });

  const wrongLink = async (page: Page) => {
    await page.getByRole("textbox").fill("https://www.instagram.com/someone/");
    await press(page, "Enter");
    await captchaOf(page).getByRole("checkbox").waitFor();
    await page.getByText("That looks like a profile.").waitFor();
  };
  const refused = (send: string) => async (page: Page) => {
    await button(page, send).click();
    await page.getByRole("group", { name: "There is a problem" }).waitFor();
    await captchaOf(page).getByRole("checkbox").waitFor();
  };
  const shows = (name: string) => (page: Page) => button(page, name).waitFor();

  const screens: Screen[] = [
    { name: "home", path: "/", ready: shows("Paste") },
    { name: "home, refused", path: "/", ready: wrongLink },
    {
      name: "menu",
      path: pages.terms.path,
      ready: async (page) => (await button(page, "Menu").click(), shows("Close menu")(page)),
    },
    { name: "step 2", path: "/verification/", as: () => verified, ready: shows("Continue to Get Likes") },
    {
      name: "step 2, waiting",
      path: "/verification/",
      as: () => returning,
      ready: (page) => page.getByRole("timer").waitFor(),
    },
    { name: "private", path: "/private-account-error/", as: () => verified },
    { name: "step 3", path: "/get-likes/", as: () => verified, ready: shows("Send 50 Free Likes") },
    { name: "step 4", path: "/success/", as: () => ordered },
    {
      name: "preview",
      path: `/preview/${postCode}?from=url-entry`,
      as: () => verified,
      ready: shows("Get 50 Free Likes"),
    },
    { name: "start over", path: "/success/", as: () => newcomer },
    { name: "contact", path: "/contact/", ready: refused("Send Message") },
    { name: "feedback", path: "/feedback/", ready: refused("Submit Feedback") },
    { name: "issue", path: "/report-issue/", ready: refused("Submit Report") },
    ...[pages.faq, pages.support, pages.howItWorks, pages.testimonials, pages.privacy].map(({ path }) => ({
      name: path,
      path,
    })),
    { name: "not found", path: "/no-such-page" },
  ];

  for (const screen of screens)
    test(`${screen.name} loses nothing, and what can be pressed is large enough`, async ({ open }) => {
      const { page } = await open(undefined, { viewport: { width: 320, height: 512 } });
      if (screen.as) await openAs(page, screen.as(), screen.path);
      else await page.goto(servers.app.url + screen.path);
      await screen.ready?.(page);
      const find = async () => ({ fits: await fitsWidth(page), lost: await lostText(page) });
      expect(await smallTargets(page)).toEqual([]);
      expect(await find()).toEqual({ fits: true, lost: [] });
      await spaceText(page);
      expect(await find()).toEqual({ fits: true, lost: [] });
    });
});

test("with forced colours every control has a frame and a ring, and with reduced motion nothing moves", async ({
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
  const ring = await page.getByRole("textbox").evaluate((field) => getComputedStyle(field).outlineStyle);
  expect(ring).toBe("solid");

  // The message at the field, and the dialog, would fade in.
  await page.keyboard.insertText("https://www.instagram.com/someone/");
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
