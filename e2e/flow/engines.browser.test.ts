import { expect, test, useServers } from "../support/test";
import { faqGroups } from "@/lib/content/faq";
import { limits } from "@/lib/config/limits";
import { engineNames, missingFor, openEngine } from "../support/engines/engines";
import type { EnginePage, Look } from "../support/engines/engine-page";
import { continueToGetLikes, passCheck, sendLikes, startFlow } from "../support/engines/walk";
import { postLink } from "../support/sample-posts";
import { until } from "../support/until";

const servers = useServers();

const phone = { width: 360, height: 640 };
const narrowPhone = { width: 320, height: 640 };
const desktop = { width: 1280, height: 800 };

for (const name of engineNames)
  test.describe(`in ${name}`, () => {
    const missing = missingFor(name);
    test.skip(missing.length > 0, `This machine has no ${missing.join(", ")}.`);
    let page: EnginePage | undefined;

    async function open(look: Look, path: string): Promise<EnginePage> {
      page = await openEngine(name, look, servers.app.url + path);
      return page;
    }

    test.afterEach(async () => {
      await page?.driver.close();
      page = undefined;
    });

    test("the flow goes from a pasted link to the receipt and on to the countdown, on a phone", async () => {
      const page = await open({ ...phone, colours: "light" }, "/");
      await page.waitFor("Demo mode: no likes are sent to Instagram.");
      expect(await brightness(page)).toBeGreaterThan(0.9);
      await page.fill("Link of your Instagram post or reel", postLink);
      await seeDialog(page, "Continue to Next Step");
      await expectNoSideways(page);
      await passCheck(page);
      await page.click("button", "Continue to Next Step");

      await page.waitFor("Checking Your Instagram Post", "/verification/");
      await page.waitFor("50 free likes");
      expect(await isOnFirstScreen(page, "Continue to Get Likes")).toBe(true);
      await expectNoSideways(page);
      await continueToGetLikes(page);
      await page.waitFor("Cxyz123abc_");
      expect(await isOnFirstScreen(page, "Send 50 Free Likes")).toBe(true);
      await expectNoSideways(page);
      await page.travel(-1);
      await page.waitFor("Continue to Get Likes", "/verification/");
      await page.travel(1);
      await page.waitFor("Send 50 Free Likes", "/get-likes/");

      await sendLikes(page);
      await expectNoSideways(page);
      const reference = /[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}/;
      await page.waitFor("Order reference", "/success/");
      const receipt = await page.read(reference);
      await page.reload();
      await page.waitFor(receipt, "/success/");

      await page.click("link", "Boost Another Post");
      await page.waitFor("Continue to Next Step", "/");
      await page.goTo(`${servers.app.url}/success/`);
      await page.waitFor("You Need to Start from the Beginning");
      await page.goTo(servers.app.url);
      await startFlow(page);
      await page.waitFor("You've Already Received Free Likes", "/verification/");
      await expectCountdown(page);
      await expectNoSideways(page);
      expect(page.driver.problems()).toEqual([]);
    });

    test("a form, the questions and the menus, in dark colours", async () => {
      const page = await open({ ...phone, colours: "dark" }, "/feedback/");
      expect(await brightness(page)).toBeLessThan(0.2);
      await walkForm(page);
      await walkPhoneMenu(page);

      await page.driver.resize(desktop);
      await page.goTo(`${servers.app.url}/faq`);
      await walkQuestions(page);
      await page.click("button", "Support");
      await page.find({ role: "link", name: "Support Center" });
      await page.driver.press("Escape");
      await page.waitUntilGone({ role: "link", name: "Support Center" });
      expect(page.driver.problems()).toEqual([]);
    });
  });

/** Sends a form without its check: the dialog says so, and closes by its button or by the key. */
async function seeDialog(page: EnginePage, send: string): Promise<void> {
  const dialog = { role: "dialog", name: "Verification Required" };
  await page.click("button", send);
  await page.find(dialog);
  await page.click("button", "I'll Complete the Verification");
  await page.waitUntilGone(dialog);
  await page.click("button", send);
  await page.find(dialog);
  await page.driver.press("Escape");
  await page.waitUntilGone(dialog);
}

/** Wrong, without the check, refused by the server, and kept. */
async function walkForm(page: EnginePage): Promise<void> {
  const send = "Submit Feedback";
  // Once the check comes, the form's script is there.
  await page.click("textbox", "Name");
  await page.find({ role: "checkbox" });
  await page.click("button", send);
  await expectRefused(page, [
    "Name must be at least 2 characters",
    "Please enter a valid email address",
    "Please select a feedback type",
    "Message must be at least 10 characters",
  ]);
  await page.click("link", "Please enter a valid email address");
  expect(await page.driver.evaluate(() => document.activeElement?.id)).toBe("feedback-email");
  await page.fill("Name", "Ada Lovelace");
  await page.fill("Email", "ada@example.com");
  await page.click("radio", "Feature");
  await page.fill("Message", "Please add a countdown.");
  await seeDialog(page, send);
  await expectNoSideways(page);
  await passCheck(page);
  await spoilNextPost(page);
  await page.click("button", send);
  await page.waitFor("Error There was a problem submitting your feedback. Please try again.");
  await expectRefused(page, ["Please enter a valid email address"]);
  await page.click("button", send);
  await page.waitFor("Feedback submitted! Thank you for helping us improve our service.");
  await page.waitFor("We have your feedback");
  await page.click("button", "Send another");
  await page.find({ role: "textbox", name: "Name" });
  expect(await page.driver.evaluate(() => document.querySelector("input")?.value)).toBe("");
}

/** The summary has the focus and stands in the window; each field says the same itself. */
async function expectRefused(page: EnginePage, messages: string[]): Promise<void> {
  await page.find({ role: "group", name: "There is a problem" });
  for (const name of messages) await page.find({ role: "link", name });
  await until("the summary has the focus, in the window", () =>
    page.driver.evaluate(() => {
      const { top = -1 } = document.activeElement?.getBoundingClientRect() ?? {};
      const isSummary = document.activeElement?.textContent.startsWith("There is a problem");
      return isSummary === true && top >= 0 && top < innerHeight;
    }),
  );
  const atFields = await page.driver.evaluate(() =>
    [...document.querySelectorAll("[aria-invalid]")].map(
      (field) =>
        document.getElementById((field.getAttribute("aria-describedby") ?? "").split(" ")[0] ?? "")
          ?.innerText,
    ),
  );
  expect(atFields.map((words) => words?.replace("Error:", "").trim())).toEqual(messages);
}

/** What the page finds right goes out wrong, once: the server's own findings come back. */
async function spoilNextPost(page: EnginePage): Promise<void> {
  await page.driver.evaluate(() => {
    const post = window.fetch;
    window.fetch = (path, init) => {
      window.fetch = post;
      const body = JSON.parse(String(init?.body)) as object;
      return post(path, { ...init, body: JSON.stringify({ ...body, email: "nobody" }) });
    };
  });
}

/** The menu opens over the page, closes, and leads on; back and forward lead there and back. */
async function walkPhoneMenu(page: EnginePage): Promise<void> {
  const menu = { role: "navigation", name: "Menu" };
  await page.click("button", "Menu");
  await page.find(menu);
  await page.click("button", "Close menu");
  await page.waitUntilGone(menu);
  await page.click("button", "Menu");
  await page.click("link", "Support Center");
  await page.waitFor("Support Center", "/support");
  await expectNoSideways(page);
  await page.travel(-1);
  await page.waitFor("Share Feedback", "/feedback/");
  await page.travel(1);
  await page.waitFor("Support Center", "/support");
}

/** One part at a time, and one answer at a time. */
async function walkQuestions(page: EnginePage): Promise<void> {
  await page.find({ role: "heading", name: "About the Service" });
  await page.click("tab", "Safety & Privacy");
  await page.find({ role: "heading", name: "Safety & Privacy" });
  expect(await page.driver.find({ role: "heading", name: "About the Service" })).toBeNull();
  const [first, second] = faqGroups.at(-1)?.questions ?? [];
  for (const [opened, closed] of [
    [first, second],
    [second, first],
  ]) {
    await page.press({ selector: "summary", text: opened?.question ?? "" });
    await page.find({ selector: "p", text: opened?.answer[0] ?? "" });
    expect(await page.driver.find({ selector: "p", text: closed?.answer[0] ?? "" })).toBeNull();
  }
}

/** Of what lies behind the page, from 0 to 1. */
async function brightness(page: EnginePage): Promise<number> {
  const colour = await page.driver.evaluate(() => {
    // Whatever notation the colour has, a canvas knows its red, green and blue.
    const context = document.createElement("canvas").getContext("2d");
    if (!context) return [];
    context.fillStyle = getComputedStyle(document.body).backgroundColor;
    context.fillRect(0, 0, 1, 1);
    return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3);
  });
  return Math.max(...colour) / 255;
}

/** On the narrowest of phones nothing sticks out to the right. */
async function expectNoSideways(page: EnginePage): Promise<void> {
  await page.driver.resize(narrowPhone);
  const [width, room] = await page.driver.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  expect([room, width]).toEqual([narrowPhone.width, narrowPhone.width]);
  await page.driver.resize(phone);
}

/** In view without scrolling, all of it. */
async function isOnFirstScreen(page: EnginePage, button: string): Promise<boolean> {
  await page.find({ role: "button", name: button });
  return page.driver.evaluate((name) => {
    const found = [...document.querySelectorAll("button")].find((each) => each.innerText.includes(name));
    const box = found?.getBoundingClientRect();
    return box !== undefined && box.top >= 0 && box.bottom <= innerHeight;
  }, button);
}

/** It starts at four hours, and goes on. */
async function expectCountdown(page: EnginePage): Promise<void> {
  const secondsLeft = async (): Promise<number> => {
    const [hours = 0, minutes = 0, seconds = 0] = (await page.read(/0[34]:\d\d:\d\d/)).split(":").map(Number);
    return hours * 3_600 + minutes * 60 + seconds;
  };
  const before = await secondsLeft();
  expect(before).toBeLessThanOrEqual(limits.cooldownSeconds);
  await until("the countdown goes on", async () => before - (await secondsLeft()) >= 2, 5_000);
}
