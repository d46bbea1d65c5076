import { setTimeout as sleep } from "node:timers/promises";
import { expect, test, useServers } from "../support/test";
import { missingFor, engineNames, openEngine } from "../support/engines/engines";
import type { EnginePage } from "../support/engines/engine-page";
import {
  continueToGetLikes,
  passCaptcha,
  sendLikes,
  skipProgress,
  startFlow,
} from "../support/engines/flow-steps";
import { until } from "../support/until";
import { translatePage } from "../support/browser/translator";

/*
 * While the browser translates the pages, they cause no error and show no outdated text. flow-states.browser.test.ts
 * tests each step of the flow with a translation before hydration.
 */

const servers = useServers();

const scripts = {
  "before hydration": `(${translatePage.toString()})()`,
  "after hydration": `addEventListener("load", () => setTimeout(${translatePage.toString()}, 50))`,
};

for (const engine of engineNames)
  test.describe(`in ${engine}`, () => {
    test.skip(missingFor(engine).length > 0, `A program for ${engine} is missing.`);

    for (const [subject, when, scenarios] of [
      ["the flow and the countdown", "after hydration", [testFlow, testCountdown]],
      ["a form and the Help Center", "before hydration", [testForm, testHelpCenter]],
    ] as const)
      test(`${subject} work when translated ${when}`, async () => {
        const look = { width: 360, height: 640, colours: "light", script: scripts[when] } as const;
        const page = await openEngine(engine, look, servers.app.url);
        try {
          for (const scenario of scenarios) await scenario(page);
          // 418 is React's message about changed HTML before hydration. React then renders the island again.
          expect(page.driver.problems().filter((problem) => !problem.includes("#418"))).toEqual([]);
        } finally {
          await page.driver.close();
        }
      });
  });

/** From an invalid link to the receipt, with a failed request for likes. */
async function testFlow(page: EnginePage): Promise<void> {
  await expectTranslated(page);
  await page.fill("Link of your Instagram post or reel", "https://example.com/p/Cxyz123abc_/");
  await page.click("button", "Continue to Next Step");
  await page.waitFor("Must be a valid Instagram post or reel URL");
  await page.driver.evaluate(() => (document.querySelector("input")!.value = ""));
  await startFlow(page);
  await page.waitFor("Your post is public", "/verification/");
  await expectTranslated(page);
  await continueToGetLikes(page);
  await failNextPost(page);
  await page.click("button", "Send 50 Free Likes");
  await page.waitFor("until then nothing is counted");
  await skipProgress(page);
  await page.waitFor("That Did Not Work");
  await expectTranslated(page);
  await sendLikes(page);
  await page.waitFor("Order reference");
  await expectTranslated(page);
}

async function testCountdown(page: EnginePage): Promise<void> {
  await page.goTo(servers.app.url);
  await page.waitFor("You have already requested your free likes.");
  await expectTranslated(page);
  await startFlow(page);
  await page.waitFor("You've Already Received Free Likes", "/verification/");
  const timeLeft = () => page.read(/0[34]:\d\d:\d\d/);
  const shown = await timeLeft();
  await until("the countdown continues", async () => (await timeLeft()) < shown);
  await expectTranslated(page);
}

async function testForm(page: EnginePage): Promise<void> {
  const failure = "There was a problem submitting your feedback. Please try again.";
  await page.goTo(`${servers.app.url}/feedback/`);
  await page.click("textbox", "Name");
  await page.find({ role: "checkbox" });
  await page.click("button", "Submit Feedback");
  await page.waitFor("There is a problem");
  await page.fill("Name", "Kim");
  await page.fill("Email", "kim@example.com");
  await page.click("radio", "Feature");
  await page.fill("Message", "Please add a countdown.");
  await passCaptcha(page);
  // The label is not there twice, as old and as translated text.
  expect(await page.driver.evaluate(() => document.body.innerText.split("robot").length)).toBeLessThan(3);
  await failNextPost(page);
  for (const text of [failure, "We have your feedback"]) {
    await page.click("button", "Submit Feedback");
    await page.waitFor(text);
    await expectTranslated(page);
  }
}

async function testHelpCenter(page: EnginePage): Promise<void> {
  await page.goTo(`${servers.app.url}/faq`);
  await page.click("button", "Menu");
  await page.click("button", "Close menu");
  await page.click("tab", "Safety & Privacy");
  await page.find({ role: "heading", name: "Safety & Privacy" });
  await expectTranslated(page);
}

/** Waits for later updates, and expects that the page is translated and shows no outdated text. */
async function expectTranslated(page: EnginePage): Promise<void> {
  await sleep(400);
  const [fonts, lostTexts] = await page.driver.evaluate(
    () => [document.querySelectorAll("font").length, window.lostTexts] as const,
  );
  expect(fonts).toBeGreaterThan(10);
  expect(lostTexts).toEqual([]);
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
