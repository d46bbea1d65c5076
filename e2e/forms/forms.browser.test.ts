import { expect, test, useServers } from "@/testing/test";
import type { Page } from "@playwright/test";
import { captchaOf, passCaptcha, tabTo } from "@/testing/browser/flow-pages";
import { translatePage } from "@/testing/browser/translator";
import { formPages, pressSend } from "@/testing/browser/form-pages";
import { postLink } from "@/testing/sample-posts";
import { goodInput, type FormName } from "@/testing/good-input";

/*
 * components/forms/forms.test.tsx tests each form without a server, lib/schemas/forms.test.ts the messages of all fields.
 * These tests send each form in a browser: engines.browser.test.ts (feedback) and screens.browser.test.ts (all).
 */

const servers = useServers();

const urlOf = (form: FormName) => servers.app.url + formPages[form].path;
const textbox = (page: Page, name: string) => page.getByRole("textbox", { name });

test("accepts a tap on the captcha that also removes an error message and moves the page", async ({
  open,
}) => {
  const { page } = await open(urlOf("contact"), { hasTouch: true });
  await page.getByRole("button", { name: "Send Message" }).tap();
  await page.getByRole("group", { name: "There is a problem" }).waitFor();
  await textbox(page, "Message").tap();
  await page.keyboard.type("How long does it take, please?");
  const box = captchaOf(page).getByRole("checkbox");
  await box.tap();
  await page.getByText("Verification complete.").waitFor({ state: "attached" });
  await expect(page.getByText("Message must be at least 10 characters")).toHaveCount(0);
  // A second tap, or one that comes after a check that started itself, keeps the result.
  await box.tap();
  await expect(box).toBeChecked();
});

test("says why there is no challenge for the captcha", async ({ open }) => {
  const { page } = await open(urlOf("contact"));
  await textbox(page, "Name").click();
  for (const [answer, text] of [
    [{ status: 429, json: { code: "rate_limited", message: "Too many requests." } }, "Too many requests."],
    [{ body: "<!doctype html>Log in" }, "The fault is on our side."],
    [null, "No answer came from the server."],
  ] as const) {
    await page.route("**/challenge", (route) => (answer ? route.fulfill(answer) : route.abort()));
    await captchaOf(page).getByRole("checkbox").click();
    await page.getByRole("alert").filter({ hasText: text }).waitFor();
    await page.unroute("**/challenge");
  }
});

test("sends the feedback form with the keyboard alone", async ({ open }) => {
  const { page } = await open(urlOf("feedback"), { viewport: { width: 1280, height: 800 } });
  await tabTo(page, "textbox", "Name");
  await page.keyboard.press("Enter");
  const summary = page.getByRole("group", { name: "There is a problem" });
  await page.waitForFunction(() => document.activeElement?.textContent?.startsWith("There is a problem"));
  await expect(summary).toBeInViewport();
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
  await page.getByRole("listitem").filter({ hasText: "Feedback submitted!" }).first().waitFor();
});

/** React cannot hydrate the form after some of these changes, and renders it again. */
const changes = {
  "after hydration": null,
  "before hydration": () => {},
  "before an extension adds an element": () => document.querySelector("form")?.prepend(new Image()),
  "before a translation": translatePage,
};
for (const form of Object.keys(goodInput) as FormName[])
  for (const [when, change] of Object.entries(changes))
    test(`sends what a password manager fills in without events ${when}: ${form}`, async ({ open }) => {
      const { page } = await open();
      let allowScripts = () => {};
      const allowed = new Promise<void>((resolve) => (allowScripts = resolve));
      if (!change) allowScripts();
      await page.route("**/*.js", (route) => allowed.then(() => route.continue()));
      await page.goto(urlOf(form), { waitUntil: change ? "commit" : "load" });
      const first = page.getByRole("textbox").first();
      await first.waitFor();
      await page.evaluate(
        (input: Record<string, string>) => {
          for (const control of document.querySelectorAll<HTMLInputElement>("form [name]")) {
            const value = input[control.name] ?? "";
            if (/radio|checkbox/.test(control.type)) control.checked = control.value === value;
            else control.value = value;
          }
          const [first] = document.querySelectorAll<HTMLInputElement>("form [name]");
          first?.focus();
          first?.setSelectionRange(1, 3);
        },
        { reproduceIssue: "on", link: postLink, ...goodInput[form] },
      );
      if (change) await page.evaluate(change);
      allowScripts();
      await captchaOf(page).getByRole("checkbox").waitFor();
      await expect(first).toBeFocused();
      expect(await first.evaluate((field: HTMLInputElement) => field.selectionStart)).toBe(1);
      await passCaptcha(page);
      const request = page.waitForRequest((each) => each.url().endsWith(formPages[form].api));
      await pressSend(page, form);
      const box = form === "issue" && { reproduceIssue: true };
      expect((await request).postDataJSON()).toMatchObject({ ...goodInput[form], ...box });
      if (change !== translatePage) return;
      await page
        .getByText(form === "link" ? "Your post is public" : /We have your (?:message|feedback|report)/)
        .waitFor();
      expect(await page.evaluate(() => window.lostTexts ?? [])).toEqual([]);
    });

test("writes texts in their direction, and email addresses from left to right", async ({ open }) => {
  const { page } = await open(urlOf("contact"));
  for (const label of ["Name", "Subject", "Message", "Email"]) {
    await textbox(page, label).fill("مرحبا 7K3M");
    await expect(textbox(page, label)).toHaveCSS("direction", label === "Email" ? "ltr" : "rtl");
  }
});
