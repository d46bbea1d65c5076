import { readdirSync, readFileSync } from "node:fs";
import { expect, test, useServers } from "../support/test";
import type { Page } from "@playwright/test";
import { captchaOf, passCaptcha, tabTo } from "../support/browser/flow-pages";
import { fillInForm, formPages, pressSend } from "../support/browser/form-pages";
import { goodInput, type FormName } from "./inputs";

/*
 * components/forms/forms.test.tsx tests each form without a server. These tests send each form in a browser:
 * engines.browser.test.ts (feedback) and screens.browser.test.ts (all).
 */

const servers = useServers();

const urlOf = (form: FormName) => servers.app.url + formPages[form].path;
const textbox = (page: Page, name: string) => page.getByRole("textbox", { name });
const messages = {
  contact: [
    "Name must be at least 2 characters",
    "Please enter a valid email address",
    "Subject must be at least 5 characters",
    "Please select a category",
    "Message must be at least 10 characters",
  ],
  feedback: [
    "Name must be at least 2 characters",
    "Please enter a valid email address",
    "Please select a feedback type",
    "Message must be at least 10 characters",
  ],
};

async function expectToast(page: Page, title: string, text: string): Promise<void> {
  const toast = page.getByRole("listitem").filter({ hasText: title }).filter({ hasText: text });
  await expect(toast.first()).toBeVisible();
}

/** Expects the error summary with these messages, with the focus, and in view. */
async function expectSummary(page: Page, expected: string[]): Promise<void> {
  const summary = page.getByRole("group", { name: "There is a problem" });
  await expect(summary.getByRole("link")).toHaveText(expected);
  await page.waitForFunction(() => document.activeElement?.textContent?.startsWith("There is a problem"));
  const top = (await summary.boundingBox())?.y ?? -1;
  expect(top >= 0 && top < (page.viewportSize()?.height ?? 0)).toBe(true);
}

test("accepts a tap on the captcha that also removes an error message and moves the page", async ({
  open,
}) => {
  const { page } = await open(urlOf("contact"), { hasTouch: true });
  await page.getByRole("button", { name: "Send Message" }).tap();
  await page.getByRole("group", { name: "There is a problem" }).waitFor();
  await textbox(page, "Message").tap();
  await page.keyboard.type("How long does it take, please?");
  await captchaOf(page).getByRole("checkbox").tap();
  await page.getByText("Verification complete.").waitFor({ state: "attached" });
  await expect(page.getByText("Message must be at least 10 characters")).toHaveCount(0);
});

test("sends the feedback form with the keyboard alone", async ({ open }) => {
  const { page } = await open(urlOf("feedback"), { viewport: { width: 1280, height: 800 } });
  await tabTo(page, "textbox", "Name");
  await page.keyboard.press("Enter");
  await expectSummary(page, messages.feedback);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.keyboard.type("Ada Lovelace");
  await tabTo(page, "textbox", "Email");
  await page.keyboard.type("ada@example.com");
  await tabTo(page, "radio", "Suggestion");
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("radio", { name: "Experience" })).toBeChecked();
  await tabTo(page, "textbox", "Message");
  await page.keyboard.type("It went well, thank you.");
  await tabTo(page, "checkbox");
  await page.keyboard.press("Space");
  await page.getByText("Verification complete.").waitFor({ state: "attached", timeout: 60_000 });
  await tabTo(page, "button", formPages.feedback.button);
  await page.keyboard.press("Enter");
  await expectToast(page, "Feedback submitted!", "Thank you for helping us improve our service.");
});

for (const { form, field, value, expectErrors } of [
  {
    form: "contact",
    field: "Name",
    value: "Ada Lovelace",
    expectErrors: (page: Page) => expectSummary(page, messages.contact.slice(1)),
  },
  {
    form: "link",
    field: "Link of your Instagram post or reel",
    value: "https://www.instagram.com/someone/",
    expectErrors: (page: Page) => page.getByText("That looks like a profile.").waitFor(),
  },
] as const)
  test(`keeps input from before hydration, and puts it into no URL: ${form}`, async ({ open }) => {
    const { page } = await open();
    let allowScripts = () => {};
    const allowed = new Promise<void>((resolve) => (allowScripts = resolve));
    await page.route("**/*.js", async (route) => {
      await allowed;
      await route.continue();
    });
    await page.goto(urlOf(form), { waitUntil: "commit" });
    await textbox(page, field).fill(value);
    await pressSend(page, form);
    await expect(page).toHaveURL(urlOf(form));
    allowScripts();
    // The captcha loads without a click, because the field has the focus.
    await captchaOf(page).getByRole("checkbox").waitFor();
    await pressSend(page, form);
    await expectErrors(page);
    await expect(textbox(page, field)).toHaveValue(value);
  });

test("sends the form without client-side validation when its script fails, and shows the server's errors", async ({
  open,
}) => {
  const { page } = await open();
  const folder = "public/site";
  const scripts = readdirSync(folder).filter((name) => name.endsWith(".js"));
  const validation = scripts.filter((name) =>
    readFileSync(`${folder}/${name}`, "utf8").includes("Please select a category"),
  );
  let aborted = 0;
  for (const name of validation)
    await page.route(`**/site/${name}`, (route) => {
      aborted += 1;
      return route.abort();
    });
  await page.goto(urlOf("contact"));
  await fillInForm(page, { ...goodInput.contact, name: "A", subject: "?" });
  await passCaptcha(page);
  await pressSend(page, "contact");
  await expectSummary(page, [messages.contact[0]!, messages.contact[2]!]);
  expect(aborted).toBeGreaterThan(0);
});
