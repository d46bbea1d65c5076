import { expect, test, useServers } from "../support/test";
import { missingFor, engineNames, openEngine } from "../support/engines/engines";
import type { EnginePage } from "../support/engines/engine-page";
import { continueToGetLikes, passCheck, sendLikes, skipProgress, startFlow } from "../support/engines/walk";
import { until } from "../support/until";
import { translatePage } from "../support/browser/translator";

/* The pages work while the browser translates them: no error, and no text that stays old. */

const servers = useServers();

const scripts = {
  "before hydration": `(${translatePage.toString()})()`,
  "after hydration": `addEventListener("load", () => setTimeout(${translatePage.toString()}, 50))`,
};
const linkField = "Link of your Instagram post or reel";

for (const engine of engineNames)
  test.describe(`in ${engine}`, () => {
    test.skip(missingFor(engine).length > 0, `A program for ${engine} is missing.`);

    for (const [when, scenarios] of [
      ["before hydration", [testFlow, testCooldown, testQuestions]],
      ["after hydration", [testFlow, testForm]],
    ] as const)
      test(`translated ${when}`, async () => {
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

/** From a wrong link to the receipt, with a failed request for likes. */
async function testFlow(page: EnginePage): Promise<void> {
  await expectTranslated(page);
  await page.fill(linkField, "https://example.com/p/Cxyz123abc_/");
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

async function testCooldown(page: EnginePage): Promise<void> {
  await page.goTo(servers.app.url);
  await page.waitFor("You have already requested your free likes.");
  await expectTranslated(page);
  await startFlow(page);
  await page.waitFor("You've Already Received Free Likes", "/verification/");
  const time = /0[34]:\d\d:\d\d/;
  const first = await page.read(time);
  await until("the countdown goes on", async () => (await page.read(time)) !== first);
  await expectTranslated(page);
}

async function testForm(page: EnginePage): Promise<void> {
  await page.goTo(`${servers.app.url}/feedback/`);
  await page.click("textbox", "Name");
  await page.find({ role: "checkbox" });
  await page.click("button", "Submit Feedback");
  await page.waitFor("There is a problem");
  await page.fill("Name", "Kim");
  await page.fill("Email", "kim@example.com");
  await page.click("radio", "Feature");
  await page.fill("Message", "Please add a countdown.");
  await passCheck(page);
  expect(await page.driver.evaluate(() => document.body.innerText.split("robot").length)).toBeLessThan(3);
  await failNextPost(page);
  await page.click("button", "Submit Feedback");
  await page.waitFor("There was a problem submitting your feedback. Please try again.");
  await expectTranslated(page);
  await page.click("button", "Submit Feedback");
  await page.waitFor("We have your feedback");
  await expectTranslated(page);
}

async function testQuestions(page: EnginePage): Promise<void> {
  await page.goTo(`${servers.app.url}/faq`);
  await page.click("button", "Menu");
  await page.click("button", "Close menu");
  await page.click("tab", "Safety & Privacy");
  await page.find({ role: "heading", name: "Safety & Privacy" });
  await expectTranslated(page);
}

/** Waits for updates that may follow, then checks that the page is translated and shows no old text. */
async function expectTranslated(page: EnginePage): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 400));
  const [fonts, lostTexts] = await page.driver.evaluate(
    () => [document.querySelectorAll("font").length, window.lostTexts] as const,
  );
  expect(fonts).toBeGreaterThan(10);
  expect(lostTexts).toEqual([]);
}

/** The next POST request fails without a connection. */
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
