import { setTimeout as sleep } from "node:timers/promises";
import { expect, test, useServers } from "@/testing/test";
import { getFaqGroups } from "@/lib/content/faq";
import { translatePage } from "@/testing/browser/translator";
import { engineNames, openEngine } from "@/testing/engines/engines";
import type { EnginePage, Look } from "@/testing/engines/engine-page";
import { continueToGetLikes, passCaptcha, sendLikes, skipProgress, startFlow } from "./engine-steps";
import { postLink } from "@/testing/sample-posts";
import { until } from "@/testing/until";

const servers = useServers();

const phone = { width: 360, height: 640 };
const narrowPhone = { width: 320, height: 640 };
const desktop = { width: 1280, height: 800 };

/*
 * The browser translates the pages meanwhile. flow-states.browser.test.ts tests each step of the flow with a translation
 * before hydration.
 */
const scripts = {
  beforeHydration: `(${translatePage.toString()})()`,
  afterHydration: `addEventListener("load", () => setTimeout(${translatePage.toString()}, 50))`,
};

for (const name of engineNames)
  test.describe(`in ${name}`, () => {
    let page: EnginePage | undefined;

    async function open(look: Look, path: string): Promise<EnginePage> {
      page = await openEngine(name, look, servers.app.url + path);
      return page;
    }

    test.afterEach(async () => {
      await page?.driver.close();
      page = undefined;
    });

    test("the flow on a phone leads to the receipt and the countdown", async () => {
      const page = await open({ ...phone, colours: "light", script: scripts.afterHydration }, "/");
      await page.waitFor("Demo mode: no likes are sent to Instagram.");
      expect(await brightness(page)).toBeGreaterThan(0.9);
      await expectTranslated(page);
      await page.fill("Link of your Instagram post or reel", "https://example.com/p/Cxyz123abc_/");
      await page.click("button", "Continue to Next Step");
      await page.waitFor("Must be a valid Instagram post or reel URL");
      await page.driver.evaluate(() => (document.querySelector("input")!.value = ""));
      await page.fill("Link of your Instagram post or reel", postLink);
      await testCaptchaDialog(page, "Continue to Next Step");
      await expectNoOverflow(page);
      await passCaptcha(page);
      await page.click("button", "Continue to Next Step");

      await page.waitFor("Checking Your Instagram Post", "/verification/");
      await page.waitFor("50 free likes");
      await waitUntilOnFirstScreen(page, "Continue to Get Likes", "link");
      await expectNoOverflow(page);
      await expectTranslated(page);
      await continueToGetLikes(page);
      await page.waitFor("Cxyz123abc_");
      await waitUntilOnFirstScreen(page, "Send 50 Free Likes");
      await expectNoOverflow(page);
      await page.travel(-1);
      await page.waitFor("Continue to Get Likes", "/verification/");
      await page.travel(1);
      await page.waitFor("Send 50 Free Likes", "/get-likes/");

      await failNextPost(page);
      await page.click("button", "Send 50 Free Likes");
      await page.waitFor("until then nothing is counted");
      await skipProgress(page);
      await page.waitFor("Not Confirmed Yet");
      await expectTranslated(page);
      await sendLikes(page);
      await expectNoOverflow(page);
      await page.waitFor("Order reference", "/success/");
      await expectTranslated(page);
      const reference = await page.read(/[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}/);
      await page.reload();
      await page.waitFor(reference, "/success/");

      await page.click("link", "Boost Another Post");
      await page.waitFor("Continue to Next Step", "/");
      await page.travel(-1);
      await page.waitFor("You Need to Start from the Beginning", "/success/");
      await page.goTo(servers.app.url);
      await page.waitFor("You have already requested your free likes.");
      await expectTranslated(page);
      await startFlow(page);
      await page.waitFor("You've Already Received Free Likes", "/verification/");
      const timeLeft = () => page.read(/0[34]:\d\d:\d\d/);
      const shown = await timeLeft();
      await until("the countdown continues", async () => (await timeLeft()) < shown, 5_000);
      await expectTranslated(page);
      await expectNoOverflow(page);
      await page.travel(-1);
      await page.waitFor("Continue to Next Step", "/");
      await page.travel(1);
      await page.waitFor("You Need to Start from the Beginning", "/verification/");
      expect(otherProblems(page)).toEqual([]);
    });

    test("a form, the menus and the Help Center work in dark colours", async () => {
      const page = await open({ ...phone, colours: "dark", script: scripts.beforeHydration }, "/feedback/");
      expect(await brightness(page)).toBeLessThan(0.2);
      await testForm(page);
      await testPhoneMenu(page);

      await page.driver.resize(desktop);
      await page.goTo(`${servers.app.url}/faq`);
      await testHelpCenter(page);
      await page.click("button", "Support");
      await page.find({ role: "link", name: "Support Center" });
      await page.driver.press("Escape");
      await page.waitUntilGone({ role: "link", name: "Support Center" });
      expect(otherProblems(page)).toEqual([]);
    });

    test("a link to a text opens its section of the Help Center", async () => {
      const [text = ""] = [getFaqGroups(true, null).at(-1)!.questions[0]!.answer].flat();
      const page = await open({ ...phone, colours: "light" }, `/faq#:~:text=${encodeURIComponent(text)}`);
      await page.find({ role: "heading", name: "Safety & Privacy" });
    });

    test("a page says that its script failed. Reload keeps the input, and the captcha can be loaded again", async () => {
      let failing = /\/forms-/;
      const look = { ...phone, colours: "light", fails: (path: string) => failing.test(path) } as const;
      const page = await open(look, "/feedback/");
      await page.waitFor("This page did not load completely.");
      await page.fill("Name", "Ada Lovelace");
      await page.click("radio", "Feature");
      failing = /altcha-widget/;
      await page.click("button", "Reload");
      await page.waitUntilGone({ role: "button", name: "Reload" });
      await page.fill("Email", "ada@example.com");
      await waitForStoredInput(page, true, "ada@example.com");
      await page.reload();
      await page.click("textbox", "Message");
      await page.waitFor("Unable to load verification.");
      failing = /^$/;
      await page.click("button", "Load the check again");
      await passCaptcha(page);
      await page.click("button", "Submit Feedback");
      await page.find({ role: "link", name: "Message must be at least 10 characters" });
      const invalid = await page.driver.evaluate(() => document.querySelectorAll("[aria-invalid]").length);
      expect(invalid).toBe(1);
    });

    test("repeats a press on a button after a slow script has loaded", async () => {
      const script = 'setTimeout(() => document.querySelector("form [type=submit]").click(), 1500)';
      const fails = (path: string) => path.includes("/forms-") && sleep(3_000, false);
      const page = await open({ ...phone, colours: "light", script, fails }, "/contact/");
      await page.find({ role: "group", name: "There is a problem" });
    });

    test("after Back to a page with the focus in a field, a button works at the first press", async () => {
      const page = await open({ ...phone, colours: "light" }, "/contact/");
      await page.fill("Name", "A");
      await page.goTo(`${servers.app.url}/faq`);
      await page.travel(-1);
      await page.waitFor("Send Message", "/contact/");
      await page.click("button", "Send Message");
      await page.find({ role: "group", name: "There is a problem" });
    });
  });

/** Waits until the page has, or no longer has, the text in the input that it stores for reloads. */
async function waitForStoredInput(page: EnginePage, isStored: boolean, text: string): Promise<void> {
  const read = () => page.driver.evaluate(() => JSON.stringify(history.state));
  await until(`"${text}" is stored: ${isStored}`, async () => (await read()).includes(text) === isStored);
}

/** A submit without a passed captcha opens a dialog, which closes by its button and by Escape. */
async function testCaptchaDialog(page: EnginePage, submit: string): Promise<void> {
  const dialog = { role: "dialog", name: "Verification Required" };
  for (const close of [
    () => page.click("button", "I'll Complete the Verification"),
    () => page.driver.press("Escape"),
  ]) {
    await page.click("button", submit);
    await page.find(dialog);
    await close();
    await page.waitUntilGone(dialog);
  }
}

async function testForm(page: EnginePage): Promise<void> {
  const submit = "Submit Feedback";
  // The captcha appears after hydration.
  await page.click("textbox", "Name");
  await page.find({ role: "checkbox" });
  await page.click("button", submit);
  await page.find({ role: "group", name: "There is a problem" });
  for (const name of [
    "Name must be at least 2 characters",
    "Please enter a valid email address",
    "Please select a feedback type",
    "Message must be at least 10 characters",
  ])
    await page.find({ role: "link", name });
  await until("the summary has the focus and is in view", () =>
    page.driver.evaluate(() => {
      const { top = -1 } = document.activeElement?.getBoundingClientRect() ?? {};
      const isSummary = document.activeElement?.textContent.startsWith("There is a problem");
      return isSummary === true && top >= 0 && top < innerHeight;
    }),
  );
  await page.click("link", "Please enter a valid email address");
  expect(await page.driver.evaluate(() => document.activeElement?.id)).toBe("feedback-email");

  await page.fill("Name", "Ada Lovelace");
  await page.fill("Email", "ada@example.com");
  await page.click("radio", "Feature");
  await page.fill("Message", "Please add a countdown.");
  await testCaptchaDialog(page, submit);
  await expectNoOverflow(page);
  await passCaptcha(page);
  // The label is not there twice, as old and as translated text.
  expect(await page.driver.evaluate(() => document.body.innerText.split("robot").length)).toBeLessThan(3);
  await failNextPost(page);
  await page.click("button", submit);
  await page.waitFor("There was a problem submitting your feedback. Please try again.");
  await expectTranslated(page);
  await page.click("button", submit);
  await page.waitFor("Thank you for helping us improve our service.");
  await page.waitFor("We have your feedback");
  await waitForStoredInput(page, false, "countdown");
  await expectTranslated(page);
  await page.click("button", "Send another");
  await page.find({ role: "textbox", name: "Name" });
  expect(await page.driver.evaluate(() => document.querySelector("input")?.value)).toBe("");
}

async function testPhoneMenu(page: EnginePage): Promise<void> {
  const menu = { role: "navigation", name: "Menu" };
  await page.click("button", "Menu");
  await page.find(menu);
  // Otherwise the Tab key leads behind the menu.
  // The browser sends the event "toggle" after it shows the menu.
  const isInert = () => page.driver.evaluate(() => document.querySelector("main")?.inert === true);
  await until("the page under the menu is inert", isInert);
  await page.click("button", "Close menu");
  await page.waitUntilGone(menu);
  await page.click("button", "Menu");
  await page.click("link", "Support Center");
  await page.waitFor("Support Center", "/support");
  await expectNoOverflow(page);
  await page.travel(-1);
  await page.waitFor("Share Feedback", "/feedback/");
  await page.travel(1);
  await page.waitFor("Support Center", "/support");
}

/** The Help Center shows one part and one answer at a time. */
async function testHelpCenter(page: EnginePage): Promise<void> {
  await page.find({ role: "heading", name: "About the Service" });
  await page.click("tab", "Safety & Privacy");
  await page.find({ role: "heading", name: "Safety & Privacy" });
  expect(await page.driver.find({ role: "heading", name: "About the Service" })).toBeNull();
  const [first, second] = getFaqGroups(true, null).at(-1)?.questions ?? [];
  for (const [opened, closed] of [
    [first, second],
    [second, first],
  ]) {
    await page.press({ selector: "summary", text: opened?.question ?? "" });
    await page.find({ selector: "p", text: [opened?.answer].flat()[0] ?? "" });
    expect(await page.driver.find({ selector: "p", text: [closed?.answer].flat()[0] ?? "" })).toBeNull();
  }
  await expectTranslated(page);
}

/** Waits for later updates, and expects that the page is translated and shows no outdated text. */
async function expectTranslated(page: EnginePage): Promise<void> {
  await until("the page is translated", () =>
    page.driver.evaluate(() => document.querySelectorAll("font").length > 10),
  );
  await sleep(400);
  expect(await page.driver.evaluate(() => window.lostTexts)).toEqual([]);
}

/**
 * Returns the script errors, except 418, React's message about changed HTML before hydration. React then renders the island
 * again.
 */
function otherProblems(page: EnginePage): string[] {
  return page.driver.problems().filter((problem) => !problem.includes("#418"));
}

/** Lets the next POST request fail like a lost connection. */
async function failNextPost(page: EnginePage): Promise<void> {
  await page.driver.evaluate(() => {
    const send = window.fetch;
    window.fetch = (path, init) => {
      if (init?.method !== "POST") return send(path, init);
      window.fetch = send;
      return Promise.reject(new TypeError("Failed to fetch"));
    };
  });
}

/** Returns the brightness of the page's background, from 0 to 1. */
async function brightness(page: EnginePage): Promise<number> {
  const colour = await page.driver.evaluate(() => {
    // A canvas converts every notation of a colour to red, green and blue.
    const context = document.createElement("canvas").getContext("2d");
    if (!context) return [];
    context.fillStyle = getComputedStyle(document.body).backgroundColor;
    context.fillRect(0, 0, 1, 1);
    return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3);
  });
  return Math.max(...colour) / 255;
}

/** Expects no horizontal scrolling on a narrow phone. */
async function expectNoOverflow(page: EnginePage): Promise<void> {
  await page.driver.resize(narrowPhone);
  const widths = await page.driver.evaluate(() => [innerWidth, document.documentElement.scrollWidth]);
  expect(widths).toEqual([narrowPhone.width, narrowPhone.width]);
  await page.driver.resize(phone);
}

/** Waits until the whole button is in view without scrolling. */
async function waitUntilOnFirstScreen(
  page: EnginePage,
  name: string,
  role: "button" | "link" = "button",
): Promise<void> {
  const isOnFirstScreen = () =>
    page.driver.evaluate((name) => {
      const all = document.querySelectorAll<HTMLElement>("main :is(button, a)");
      const found = [...all].find((each) => each.innerText.includes(name));
      const box = found?.getBoundingClientRect();
      return box !== undefined && box.top >= 0 && box.bottom <= innerHeight;
    }, name);
  await page.find({ role, name });
  // Responses, fonts and the translation may still change the content.
  await until(`"${name}" is on the first screen`, isOnFirstScreen, 5_000);
}
