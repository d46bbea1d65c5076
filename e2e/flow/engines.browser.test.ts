import { setTimeout as sleep } from "node:timers/promises";
import { expect, test, useServers } from "@/testing/test";
import { timing } from "@/lib/config/limits";
import { getFaqGroups } from "@/lib/content/faq";
import { translatePage } from "@/testing/browser/translator";
import { engineNames, openEngine } from "@/testing/engines/engines";
import type { EnginePage, Look } from "@/testing/engines/engine-page";
import { postLink } from "@/testing/sample-posts";
import { until } from "@/testing/until";

/*
 * These tests cover what depends on the engine: layout, colours, focus, input, dialogs, disclosures, the history, the
 * back/forward cache and hydration. Other tests check the content of the pages, in Chromium.
 */

const servers = useServers();

const phone = { width: 360, height: 640 };
const narrowPhone = { width: 320, height: 640 };
const desktop = { width: 1280, height: 800 };

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
      // The browser translates the pages after hydration. flow-states.browser.test.ts and forms.browser.test.ts do it before.
      const script = `addEventListener("load", () => setTimeout(${translatePage.toString()}, 50))`;
      const page = await open({ ...phone, colours: "light", script }, "/");
      expect(await brightness(page)).toBeGreaterThan(0.9);
      await expectNoOverflow(page);
      await startFlow(page);

      await page.waitFor("Checking Your Instagram Post", "/verification/");
      await page.waitFor("50 free likes");
      await waitUntilOnFirstScreen(page, "link", "Continue to Get Likes");
      await expectNoOverflow(page);
      await page.click("link", "Continue to Get Likes");
      await page.waitFor("Cxyz123abc_", "/get-likes/");
      await waitUntilOnFirstScreen(page, "button", "Send 50 Free Likes");
      await expectNoOverflow(page);
      await page.travel(-1);
      await page.waitFor("Continue to Get Likes", "/verification/");
      await page.travel(1);
      await page.waitFor("Send 50 Free Likes", "/get-likes/");

      await page.click("button", "Send 50 Free Likes");
      await page.waitFor("Please don't close this page. Your likes are being delivered.");
      // The simulated progress reads the time from `performance.now`.
      await page.driver.evaluate((progressMs) => {
        const now = performance.now.bind(performance);
        performance.now = () => now() + progressMs;
      }, timing.progressMaxMs);
      await page.waitFor("Copy reference", "/success/");
      await expectNoOverflow(page);
      await expectTranslated(page);
      await page.click("link", "Boost Another Post");
      await page.waitFor("You have already requested your free likes.", "/");
      await page.travel(-1);
      await page.waitFor("You Need to Start from the Beginning", "/success/");
      await page.goTo(servers.app.url);
      await startFlow(page);
      await page.waitFor("You've Already Received Free Likes", "/verification/");
      const shown = await page.read(/0[34]\W+\d\d\W+\d\d/);
      await until("the countdown continues", async () => (await page.read(/0[34]\W+\d\d\W+\d\d/)) < shown);
      await expectTranslated(page);
      await expectNoOverflow(page);
      await page.travel(-1);
      await page.waitFor("Continue to Next Step", "/");
      await page.travel(1);
      await page.waitFor("You Need to Start from the Beginning", "/verification/");
      // 418: the translation came before the hydration. React then renders the island again.
      expect(page.driver.problems().filter((problem) => !problem.includes("#418"))).toEqual([]);
    });

    test("after Back to a page with the focus in a field, a button works at the first press. A link to a text works", async () => {
      const page = await open({ ...phone, colours: "light" }, "/contact/");
      await page.fill("Name", "A");
      await page.goTo(`${servers.app.url}/faq`);
      await page.travel(-1);
      await page.waitFor("Send Message", "/contact/");
      await page.click("button", "Send Message");
      await page.find({ role: "group", name: "There is a problem" });

      // A link to a text opens its section of the Help Center.
      const [text = ""] = [getFaqGroups(true, null).at(-1)!.questions[0]!.answer].flat();
      await page.driver.open(`${servers.app.url}/faq#:~:text=${encodeURIComponent(text)}`);
      await page.find({ role: "heading", name: "Safety & Privacy" });
    });

    // Other tests check the rest in Chromium.
    if (name === "Chromium") return;

    test("a form, the menus and the Help Center work in dark colours", async () => {
      const page = await open({ ...phone, colours: "dark" }, "/feedback/");
      expect(await brightness(page)).toBeLessThan(0.2);
      await testForm(page);
      const menu = { role: "navigation", name: "Menu" };
      await page.click("button", "Menu");
      await page.find(menu);
      // Otherwise the Tab key leads behind the menu. The browser sends the event "toggle" after it shows the menu.
      await expect.poll(() => page.driver.evaluate(() => document.querySelector("main")?.inert)).toBe(true);
      await page.click("button", "Close menu");
      await page.waitUntilGone(menu);
      await page.click("button", "Menu");
      await page.click("link", "Support Center");
      await page.waitFor("Support Center", "/support");

      await page.driver.resize(desktop);
      await page.goTo(`${servers.app.url}/faq`);
      // The Help Center shows one part and one answer at a time.
      await page.find({ role: "heading", name: "About the Service" });
      await page.click("tab", "Safety & Privacy");
      await page.find({ role: "heading", name: "Safety & Privacy" });
      await page.waitUntilGone({ role: "heading", name: "About the Service" });
      const [first, second] = getFaqGroups(true, null).at(-1)!.questions;
      for (const [opened, closed] of [
        [first!, second!],
        [second!, first!],
      ] as const) {
        await page.press({ selector: "summary", text: opened.question });
        await page.find({ selector: "p", text: [opened.answer].flat()[0]! });
        await page.waitUntilGone({ selector: "p", text: [closed.answer].flat()[0]! });
      }
      await page.click("button", "Support");
      await page.find({ role: "link", name: "Support Center" });
      await page.driver.press("Escape");
      await page.waitUntilGone({ role: "link", name: "Support Center" });
      expect(page.driver.problems()).toEqual([]);
    });

    test("a page says that its script failed, and repeats a press that comes before its script. Reload keeps the input", async () => {
      let fails = (path: string): boolean | Promise<boolean> => path.includes("/forms-");
      const page = await open({ ...phone, colours: "light", fails: (path) => fails(path) }, "/feedback/");
      await page.waitFor("This page did not load completely.");
      await page.fill("Name", "Ada Lovelace");
      await page.click("radio", "Feature");
      fails = (path) => path.includes("altcha-widget");
      await page.click("button", "Reload");
      await page.waitUntilGone({ role: "button", name: "Reload" });
      await page.fill("Email", "ada@example.com");
      await expect.poll(() => storedInput(page)).toContain("ada@example.com");
      await page.goTo();
      await page.click("textbox", "Message");
      await page.waitFor("Unable to load verification.");
      fails = () => false;
      await page.click("button", "Load the check again");
      await passCaptcha(page);
      await page.click("button", "Submit Feedback");
      await page.find({ role: "link", name: "Message must be at least 10 characters" });
      expect(await page.driver.evaluate(() => document.querySelectorAll("[aria-invalid]").length)).toBe(1);

      // The page repeats a press that comes before its script.
      fails = (path) => path.includes("/forms-") && sleep(5_000, false);
      await page.driver.evaluate((url) => location.assign(url), `${servers.app.url}/contact/`);
      await page.click("button", "Send Message");
      await page.find({ role: "group", name: "There is a problem" });
    });

    if (name === "Firefox")
      test("without cookies, home and the notice say what to do, and a form works", async () => {
        const preferences = { "network.cookie.cookieBehavior": 2 };
        const page = await open({ ...phone, colours: "light", preferences }, "/");
        const advice = "Allow cookies for this site in the privacy settings of your browser";
        await page.waitFor(advice);
        await startFlow(page);
        await page.waitFor("You Need to Start from the Beginning", "/verification/");
        await page.waitFor(advice);
        await page.goTo(`${servers.app.url}/feedback/`);
        await fillInFeedback(page);
        await passCaptcha(page);
        await page.click("button", "Submit Feedback");
        await page.waitFor("We have your feedback");
        expect(page.driver.problems()).toEqual([]);
      });
  });

async function passCaptcha(page: EnginePage): Promise<void> {
  await page.click("checkbox");
  await page.waitFor("Verification complete.");
}

/** Sends the form of step 1, on the home page. */
async function startFlow(page: EnginePage): Promise<void> {
  await page.fill("Link of your Instagram post or reel", postLink);
  // The captcha starts itself, and the request waits for it.
  await page.click("button", "Continue to Next Step");
}

async function fillInFeedback(page: EnginePage): Promise<void> {
  await page.fill("Name", "Ada Lovelace");
  await page.fill("Email", "ada@example.com");
  await page.click("radio", "Feature");
  await page.fill("Message", "Please add a countdown.");
}

/** Returns the input that the page stores for reloads. */
const storedInput = (page: EnginePage) => page.driver.evaluate(() => JSON.stringify(history.state));

async function testForm(page: EnginePage): Promise<void> {
  // The captcha appears after hydration.
  await page.click("textbox", "Name");
  await page.find({ role: "checkbox" });
  await page.click("button", "Submit Feedback");
  await until("the summary has the focus and is in view", () =>
    page.driver.evaluate(() => {
      const { top = -1 } = document.activeElement?.getBoundingClientRect() ?? {};
      const isSummary = document.activeElement?.textContent.startsWith("There is a problem");
      return isSummary === true && top >= 0 && top < innerHeight;
    }),
  );
  await page.click("link", "Please enter a valid email address");
  expect(await page.driver.evaluate(() => document.activeElement?.id)).toBe("feedback-email");

  await fillInFeedback(page);
  const dialog = { role: "dialog", name: "Verification Required" } as const;
  for (const close of [
    () => page.click("button", "I'll Complete the Verification"),
    () => page.driver.press("Escape"),
  ]) {
    await page.click("button", "Submit Feedback");
    await page.find(dialog);
    await close();
    await page.waitUntilGone(dialog);
  }
  await expectNoOverflow(page);
  await passCaptcha(page);
  await page.click("button", "Submit Feedback");
  await page.waitFor("We have your feedback");
  await expect.poll(() => storedInput(page)).not.toContain("countdown");
  await page.click("button", "Send another");
  await page.find({ role: "textbox", name: "Name" });
  expect(await page.driver.evaluate(() => document.querySelector("input")?.value)).toBe("");
}

/** Waits for later updates, and expects that the page is translated and shows no outdated text. */
async function expectTranslated(page: EnginePage): Promise<void> {
  const translated = () => page.driver.evaluate(() => document.querySelectorAll("font").length);
  await expect.poll(translated).toBeGreaterThan(10);
  await sleep(400);
  expect(await page.driver.evaluate(() => window.lostTexts)).toEqual([]);
}

/** Returns the brightness of the page's background, from 0 to 1. */
async function brightness(page: EnginePage): Promise<number> {
  const colour = await page.driver.evaluate(() => getComputedStyle(document.body).backgroundColor);
  return Math.max(...colour.match(/\d+/g)!.map(Number)) / 255;
}

/** Expects no horizontal scrolling on a narrow phone. */
async function expectNoOverflow(page: EnginePage): Promise<void> {
  await page.driver.resize(narrowPhone);
  const widths = await page.driver.evaluate(() => [innerWidth, document.documentElement.scrollWidth]);
  expect(widths).toEqual([narrowPhone.width, narrowPhone.width]);
  await page.driver.resize(phone);
}

/** Waits until the whole control is in view without scrolling. */
async function waitUntilOnFirstScreen(page: EnginePage, role: "button" | "link", name: string) {
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
