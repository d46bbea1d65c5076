import { expect, test } from "../support/test";
import type { Page } from "@playwright/test";
import { captchaOf, passCaptcha, pasteLink } from "../support/browser/flow-pages";
import { fillInForm, pressSend } from "../support/browser/form-pages";
import { postLink } from "../support/sample-posts";
import { goToScreen } from "../support/browser/screens";
import { ScreenFixture } from "../support/browser/screen-fixture";
import { until } from "../support/until";
import { goodInput } from "../forms/inputs";
import type { Screen } from "./screen-texts";

/* Screens that say what is so, and go on from there. Their words are looked at by screens.browser.test.ts. */

const phone = { width: 360, height: 640 };
let fixture: ScreenFixture;

test.beforeAll(async ({ browser }) => {
  fixture = await ScreenFixture.start(browser, { viewport: phone, reducedMotion: "reduce" });
});
test.afterEach(() => fixture.clear());
test.afterAll(() => fixture?.stop());

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
const go = async (name: Screen) => (await goToScreen(fixture, name)).page;
const isStepFailed = async (page: Page) =>
  (await page.locator('[aria-current="step"]', { hasText: "Failed:" }).count()) > 0;

/** What can be pressed in the page's own part, by its words. */
function pressable(page: Page): Promise<string[]> {
  return page
    .locator('main :is(button, a):not(:disabled, [aria-disabled="true"])')
    .evaluateAll((elements) =>
      elements.filter((each) => each.checkVisibility()).map(({ textContent }) => textContent),
    );
}

/** Has the page read the day's use again: it is cached, and asked for each half minute. */
const poll = (page: Page) => page.clock.runFor(31_000);

test("a pending order has one button, which counts down and then asks about the same order", async () => {
  const page = await go("get-likes: pending");
  await button(page, /^Check again in \d+ s$/).waitFor();
  expect(await pressable(page)).toEqual(["Go Back"]);
  expect(await page.getByText("likes coming").count()).toBe(0);
  expect(await isStepFailed(page)).toBe(false);

  const before = fixture.receiver.requests.length;
  fixture.receiver.respond("accept");
  await page.clock.fastForward(60_000);
  await until("it can be pressed", async () => (await pressable(page)).includes("Check again"));
  expect(await pressable(page)).toEqual(["Check again", "Go Back"]);
  await button(page, "Check again").click();
  await page.waitForURL(/\/success\/$/);
  const ids = fixture.receiver.requests.slice(before - 1).map(({ headers }) => headers["webhook-id"]);
  expect(new Set(ids).size).toBe(1);
});

test("after a failure nothing is promised, and the step is not failed while it tries again", async () => {
  const page = await go("get-likes: refused");
  await page.getByRole("alert").filter({ hasText: "Error: " }).waitFor();
  expect(await page.getByText("likes coming").count()).toBe(0);
  expect(await isStepFailed(page)).toBe(true);
  await button(page, "Send 50 Free Likes").click();
  await page.getByText("+50 likes coming").waitFor();
  expect(await isStepFailed(page)).toBe(false);
});

test("a post that could not be loaded is loaded by another try, and one that is gone leads to another link", async () => {
  const page = await go("get-likes: post not loaded");
  await button(page, "Try Again").waitFor();
  await page.unroute("**/api/instagram/post-details");
  await button(page, "Try Again").click();
  await button(page, "Send 50 Free Likes").waitFor();
  expect(await isStepFailed(page)).toBe(false);

  const gone = await go("get-likes: no such post");
  expect((await pressable(gone)).filter((words) => words === "Try Again")).toEqual([]);
  await gone.getByRole("link", { name: "Try Another Post" }).click();
  await gone.waitForURL(/\/#post-link$/);
  await gone.keyboard.type("https");
  expect(await gone.getByRole("textbox").inputValue()).toBe("https");
});

test("a form that could not be sent says so at its button, and one that was kept gives way to a panel", async () => {
  const page = await go("contact");
  await fillInForm(page, goodInput.contact);
  await passCaptcha(page);
  await page.context().setOffline(true);
  await pressSend(page, "contact");
  const message = page
    .locator("form")
    .getByText("Your browser is offline. Check your connection and try again.");
  await message.waitFor();
  const [button, words] = await Promise.all([
    page.locator("form [type=submit]").boundingBox(),
    message.locator("xpath=ancestor::*[@data-message]").boundingBox(),
  ]);
  expect(words!.y - (button!.y + button!.height)).toBeLessThan(30);
  expect(words!.y + words!.height).toBeLessThan(phone.height);

  await page.context().setOffline(false);
  await pressSend(page, "contact");
  await page.getByRole("heading", { name: "We have your message" }).waitFor();
  await page.waitForFunction(() => document.activeElement?.textContent === "We have your message");
  expect(await page.locator("main form").count()).toBe(0);
  expect((await page.locator("main h3").boundingBox())?.y).toBeGreaterThan(0);

  await page.getByRole("button", { name: "Send another" }).click();
  const name = page.getByRole("textbox", { name: "Name" });
  expect(await name.evaluate((field) => field === document.activeElement)).toBe(true);
  const values = page.locator("form :is(input:not([type=checkbox]), textarea, select)");
  expect(
    await values.evaluateAll((fields) => fields.map((each) => (each as HTMLInputElement).value).join("")),
  ).toBe("");
  expect(await page.getByText("What you wrote is still here.").count()).toBe(0);
  // The next message needs a check of its own.
  expect(await captchaOf(page).getByRole("checkbox").isChecked()).toBe(false);
});

const buttons = ":is(header, main) :is(button, a, [type=checkbox], [type=radio])";
const messages = "[data-message]";

/** What a toast covers, by its words. */
function covered(page: Page, ...selectors: string[]): Promise<string[]> {
  return page.evaluate((selector) => {
    const toast = document.querySelector("[data-swipe-direction]")?.getBoundingClientRect();
    if (!toast) return ["no toast"];
    return [...document.querySelectorAll(selector)]
      .filter((element) => !element.closest("[data-swipe-direction]"))
      .filter((element) => getComputedStyle(element).display !== "inline" && element.checkVisibility())
      .filter((element) => {
        const { left, right, top, bottom } = element.getBoundingClientRect();
        return left < toast.right && right > toast.left && top < toast.bottom && bottom > toast.top;
      })
      .map((element) => element.textContent || element.outerHTML);
  }, selectors.join());
}

for (const name of [
  "home: sent offline",
  "preview: refused",
  "contact: failed",
  "contact: sent",
] satisfies Screen[])
  test(`on a small phone the toast covers no message, and no button wherever the page is scrolled to: ${name}`, async () => {
    const page = await go(name);
    await page.locator("[data-swipe-direction]").waitFor();
    await until(
      "neither is covered",
      async () => (await covered(page, buttons, messages)).length === 0,
      3_000,
    );
    // Held, so that it stays as long as the test needs.
    await page.keyboard.press("F8");
    for (const part of [0, 0.25, 0.5, 0.75, 1]) {
      await page.evaluate((share) => {
        const { scrollHeight } = document.documentElement;
        window.scrollTo(0, (scrollHeight - window.innerHeight) * share);
      }, part);
      await until(
        `no button is covered at ${part}`,
        async () => (await covered(page, buttons)).length === 0,
        3_000,
      );
    }
  });

test("without likes left one panel takes the form's place and size, and the form comes back as it was", async () => {
  const page = await fixture.open("/", {
    clock: true,
    prepare: (page) => page.route("**/api/instagram/daily-usage", (route) => route.continue()),
  });
  await pasteLink(page, postLink);
  await captchaOf(page).getByRole("checkbox").waitFor();
  await page.getByRole("progressbar", { name: "Today's free likes left" }).waitFor();
  const place = async () => page.locator("form").boundingBox();
  const before = await place();

  await fixture.chargeLikes(100_000);
  await poll(page);
  await page.getByRole("heading", { name: "Daily Limit Reached" }).waitFor();
  expect(await page.getByRole("textbox").count()).toBe(0);
  expect(await button(page, "Continue to Next Step").count()).toBe(0);
  expect(await captchaOf(page).count()).toBe(0);
  expect(await page.getByText("Available again in: ").count()).toBe(1);
  expect(await place()).toEqual(before);

  await fixture.chargeLikes(0);
  await poll(page);
  await page.getByRole("textbox").waitFor();
  expect(await page.getByRole("textbox").inputValue()).toBe(postLink);
  expect(await page.getByText("Daily Limit Reached").count()).toBe(0);
});

test("the bar of the meter is as full as the words below the form say", async () => {
  const page = await go("home: more than 95 % used");
  await page.getByText("4,000 free likes left today").waitFor();
  const bar = page.getByRole("progressbar", { name: "Today's free likes left" });
  expect(await bar.evaluate((element) => (element as HTMLProgressElement).position)).toBeCloseTo(0.04);
});

test("the place of the human check looks like it before the first touch, and cannot be reached", async () => {
  const page = await go("home");
  const place = captchaOf(page);
  await page.getByRole("button", { name: "Paste" }).waitFor();
  const [before, square] = [await place.boundingBox(), await place.locator("span").first().boundingBox()];
  expect(await place.locator("button, a, input, [tabindex]").count()).toBe(0);
  await page.getByRole("textbox").focus();
  const box = place.getByRole("checkbox");
  await box.waitFor();
  expect(await place.boundingBox()).toEqual(before);
  const real = await box.boundingBox();
  for (const side of ["x", "y", "width", "height"] as const) {
    expect(Math.abs(real![side] - square![side])).toBeLessThanOrEqual(2);
  }
});

test("a check that could not be loaded is loaded by its button, and what was typed stays", async () => {
  const page = await go("home: human check failed");
  await pasteLink(page, postLink);
  await button(page, "Load the check again").waitFor();
  await page.unroute("**/api/recaptcha/sitekey");
  await button(page, "Load the check again").click();
  await passCaptcha(page);
  expect(await page.getByRole("textbox").inputValue()).toBe(postLink);
});
