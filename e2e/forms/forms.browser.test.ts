import { expect, test, useServers } from "../support/test";
import type { Page } from "@playwright/test";
import { captchaOf, passCaptcha, tabTo } from "../support/browser/flow-pages";
import { startRedis } from "../support/servers/redis-server";

const servers = useServers();

const textbox = (page: Page, name: string) => page.getByRole("textbox", { name });
const choose = (page: Page, list: string, option: string) =>
  page.getByRole("combobox", { name: list }).selectOption({ label: option });

async function fillInPerson(page: Page): Promise<void> {
  await textbox(page, "Name").fill("Ada Lovelace");
  await textbox(page, "Email").fill("ada@example.com");
}

interface Form {
  path: string;
  api: string;
  heading: string;
  button: string;
  fillIn: (page: Page) => Promise<void>;
  messages: string[];
  success: [title: string, text: string];
  failure: string;
}

const contact: Form = {
  path: "/contact/",
  api: "/api/contact/submit",
  heading: "Support Center",
  button: "Send Message",
  async fillIn(page) {
    await fillInPerson(page);
    await textbox(page, "Subject").fill("A question");
    await choose(page, "Category", "General Question");
    await textbox(page, "Message").fill("How long does it take?");
  },
  messages: [
    "Name must be at least 2 characters",
    "Please enter a valid email address",
    "Subject must be at least 5 characters",
    "Please select a category",
    "Message must be at least 10 characters",
  ],
  success: ["Message sent!", "We'll get back to you as soon as possible."],
  failure: "There was a problem sending your message. Please try again.",
};

const feedback: Form = {
  path: "/feedback/",
  api: "/api/feedback/submit",
  heading: "Share Feedback",
  button: "Submit Feedback",
  async fillIn(page) {
    await fillInPerson(page);
    await page.getByRole("radio", { name: "Feature" }).check();
    await textbox(page, "Message").fill("Please add a countdown.");
  },
  messages: [
    "Name must be at least 2 characters",
    "Please enter a valid email address",
    "Please select a feedback type",
    "Message must be at least 10 characters",
  ],
  success: ["Feedback submitted!", "Thank you for helping us improve our service."],
  failure: "There was a problem submitting your feedback. Please try again.",
};

const issue: Form = {
  path: "/report-issue/",
  api: "/api/issue/submit",
  heading: "Report an Issue",
  button: "Submit Report",
  async fillIn(page) {
    await fillInPerson(page);
    await choose(page, "Issue type", "Likes not received");
    await choose(page, "Device", "iPhone");
    await choose(page, "Browser", "Safari");
    await textbox(page, "What happened?").fill("No likes after three hours.");
  },
  messages: [
    "Name must be at least 2 characters",
    "Please enter a valid email address",
    "Please select an issue type",
    "Please select your device type",
    "Please select your browser",
    "Description must be at least 10 characters",
  ],
  success: ["Issue reported!", "Thank you for reporting this issue. Our team will investigate it."],
  failure: "There was a problem submitting your report. Please try again.",
};

const press = (page: Page, { button }: Form) => page.getByRole("button", { name: button }).click();
const summary = (page: Page) => page.getByRole("group", { name: "There is a problem" });

async function waitForToast(page: Page, title: string, text: string): Promise<void> {
  const toast = page.getByRole("listitem").filter({ hasText: title }).filter({ hasText: text });
  await toast.first().waitFor();
}

/** Waits until the summary has the focus and stands in the window, and returns the texts of its links. */
async function readSummary(page: Page): Promise<string[]> {
  await summary(page).waitFor();
  await page.waitForFunction(() => document.activeElement?.textContent?.startsWith("There is a problem"));
  const top = (await summary(page).boundingBox())?.y ?? -1;
  expect(top >= 0 && top < (page.viewportSize()?.height ?? 0)).toBe(true);
  return summary(page).getByRole("link").allInnerTexts();
}

/* The form for feedback is filled in by engines.browser.test.ts, in every engine. */
for (const form of [contact, issue])
  test.describe(`${form.path}`, () => {
    test("is filled in wrongly, then rightly, and sent", async ({ open }) => {
      const { page, problems } = await open();
      const requests: string[] = [];
      page.on("request", (request) => {
        if (request.url().endsWith(form.api)) requests.push(request.postData() ?? "");
      });
      await page.goto(`${servers.app.url}${form.path}`);
      expect(await page.getByRole("heading", { level: 1 }).allInnerTexts()).toEqual([form.heading]);

      await press(page, form);
      expect(await readSummary(page)).toEqual(form.messages);
      await summary(page).getByRole("link", { name: form.messages[1] }).click();
      expect(await textbox(page, "Email").evaluate((input) => input === document.activeElement)).toBe(true);

      await form.fillIn(page);
      await press(page, form);
      const dialog = page.getByRole("dialog", { name: "Verification Required" });
      await dialog.waitFor();
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "hidden" });
      expect(requests).toEqual([]);

      await passCaptcha(page);
      await press(page, form);
      await waitForToast(page, ...form.success);
      expect(requests).toHaveLength(1);
      await page.getByRole("button", { name: "Send another" }).click();
      expect(await textbox(page, "Name").inputValue()).toBe("");
      expect(problems).toEqual([]);
    });
  });

/* What the three forms do in the same code is tried on one of them. */

test("keeps the data when the answer is lost, and the second press ends well without another check", async ({
  open,
}) => {
  const { page } = await open();
  await page.route(`**${contact.api}`, async (route) => {
    await route.fetch();
    await route.abort("connectionreset");
  });
  await page.goto(`${servers.app.url}${contact.path}`);
  await contact.fillIn(page);
  await passCaptcha(page);
  await press(page, contact);
  await waitForToast(page, "Error", contact.failure);
  expect(await textbox(page, "Name").inputValue()).toBe("Ada Lovelace");

  await page.unroute(`**${contact.api}`);
  await press(page, contact);
  await waitForToast(page, ...contact.success);
});

test("says so and keeps the data while the messages cannot be kept", async ({ open }) => {
  const redis = await servers.keep(startRedis());
  const app = await servers.start({ redisUrl: redis.url });
  const { page } = await open(`${app.url}${contact.path}`);
  await contact.fillIn(page);
  await passCaptcha(page);
  await redis.kill();
  const answer = page.waitForResponse((response) => response.url().endsWith(contact.api));
  await press(page, contact);
  expect((await answer).status()).toBe(503);
  await waitForToast(page, "Error", contact.failure);
  expect(await textbox(page, "Message").inputValue()).toBe("How long does it take?");
});

test("takes the tap of a finger that ends a mistake, though the words about it go and the page moves", async ({
  open,
}) => {
  const { page } = await open(`${servers.app.url}/contact/`, { hasTouch: true });
  await page.getByRole("button", { name: "Send Message" }).tap();
  await page.getByRole("group", { name: "There is a problem" }).waitFor();
  await page.getByRole("textbox", { name: "Message" }).tap();
  await page.keyboard.type("How long does it take, please?");
  await captchaOf(page).getByRole("checkbox").tap();
  await page.getByText("Verification complete.").waitFor({ state: "attached" });
  expect(await page.getByText("Message must be at least 10 characters").count()).toBe(0);
});

test("can be done with the keyboard alone", async ({ open }) => {
  const { page } = await open(`${servers.app.url}${feedback.path}`, {
    viewport: { width: 1280, height: 800 },
  });
  await tabTo(page, "textbox", "Name");
  await page.keyboard.press("Enter");
  expect(await readSummary(page)).toEqual(feedback.messages);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.keyboard.type("Ada Lovelace");
  await tabTo(page, "textbox", "Email");
  await page.keyboard.type("ada@example.com");
  await tabTo(page, "radio", "Suggestion");
  await page.keyboard.press("ArrowDown");
  expect(await page.getByRole("radio", { name: "Experience" }).isChecked()).toBe(true);
  await tabTo(page, "textbox", "Message");
  await page.keyboard.type("It went well, thank you.");
  await tabTo(page, "checkbox");
  await page.keyboard.press("Space");
  await page.getByText("Verification complete.").waitFor({ state: "attached", timeout: 60_000 });
  await tabTo(page, "button", feedback.button);
  await page.keyboard.press("Enter");
  await waitForToast(page, ...feedback.success);
});

/** Keeps scripts back until it is told to let them come. */
async function holdScripts(page: Page): Promise<() => void> {
  let letThemCome: () => void = () => undefined;
  const allowed = new Promise<void>((resolve) => (letThemCome = resolve));
  await page.route("**/*.js", async (route) => {
    await allowed;
    await route.continue();
  });
  return letThemCome;
}

test("keeps what was typed before the script came, and a press then puts nothing into the address", async ({
  open,
}) => {
  const { page } = await open();
  const letScriptsCome = await holdScripts(page);
  await page.goto(`${servers.app.url}${contact.path}`, { waitUntil: "commit" });
  await textbox(page, "Name").fill("Ada Lovelace");
  await press(page, contact);
  expect(page.url()).toBe(`${servers.app.url}${contact.path}`);
  letScriptsCome();
  // The form had the focus all along: the check comes without a further touch.
  await captchaOf(page).getByRole("checkbox").waitFor();
  await press(page, contact);
  expect(await readSummary(page)).toEqual(contact.messages.slice(1));
  expect(await textbox(page, "Name").inputValue()).toBe("Ada Lovelace");
});

test("keeps a link that was typed before the script came, and puts it into no address", async ({ open }) => {
  const { page } = await open();
  const letScriptsCome = await holdScripts(page);
  await page.goto(servers.app.url, { waitUntil: "commit" });
  const field = page.getByRole("textbox");
  await field.fill("https://www.instagram.com/someone/");
  await page.getByRole("button", { name: "Continue to Next Step" }).click();
  expect(new URL(page.url()).search).toBe("");
  letScriptsCome();
  await captchaOf(page).getByRole("checkbox").waitFor();
  expect(await field.inputValue()).toBe("https://www.instagram.com/someone/");
  await page.getByRole("button", { name: "Continue to Next Step" }).click();
  await page.getByText("That looks like a profile.").waitFor();
});

test("sends the form as it is where its checks cannot be had, and shows what the server finds", async ({
  open,
}) => {
  const { page } = await open();
  let refused = 0;
  await page.route("**/site/*.js", async (route) => {
    const answer = await route.fetch();
    if (!(await answer.text()).includes("Please select a category"))
      return route.fulfill({ response: answer });
    refused += 1;
    return route.abort();
  });
  await page.goto(servers.app.url + contact.path);
  await contact.fillIn(page);
  await textbox(page, "Name").fill("A");
  await textbox(page, "Subject").fill("?");
  await passCaptcha(page);
  await press(page, contact);
  expect(await readSummary(page)).toEqual([contact.messages[0], contact.messages[2]]);
  expect(refused).toBeGreaterThan(0);
});
