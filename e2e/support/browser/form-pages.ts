import type { Page } from "@playwright/test";
import type { FormName } from "../../forms/inputs";

/** Where each form is, the words of its button, and the path it is sent to. */
export const formPages: Record<FormName, { path: string; button: string; api: string }> = {
  contact: { path: "/contact/", button: "Send Message", api: "/api/contact/submit" },
  feedback: { path: "/feedback/", button: "Submit Feedback", api: "/api/feedback/submit" },
  issue: { path: "/report-issue/", button: "Submit Report", api: "/api/issue/submit" },
  link: { path: "/", button: "Continue to Next Step", api: "/api/recaptcha/verify" },
};

/** Fills in what is given, by the names of the fields; an empty text leaves a choice as it is. */
export async function fillInForm(page: Page, input: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(input)) {
    // On the home page, what the API calls "url" is the field "link".
    const control = page.locator(`form :is([name="${name}"]${name === "url" ? ', [name="link"]' : ""})`);
    const type = await control.first().evaluate((element) => (element as HTMLInputElement).type);
    if (type === "radio") {
      if (value) await page.locator(`form [name="${name}"][value="${value}"]`).check();
    } else if (type === "select-one") await control.selectOption(value);
    else await control.fill(value);
  }
}

/** Presses the form's button. */
export function pressSend(page: Page, form: FormName): Promise<void> {
  return page.getByRole("button", { name: formPages[form].button }).click();
}
