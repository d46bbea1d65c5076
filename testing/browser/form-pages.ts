import type { Page } from "@playwright/test";
import type { FormName } from "@/testing/good-input";

/** Path of each form's page, name of its button, and path of its API. */
export const formPages: Record<FormName, { path: string; button: string; api: string }> = {
  contact: { path: "/contact/", button: "Send Message", api: "/api/contact/submit" },
  feedback: { path: "/feedback/", button: "Submit Feedback", api: "/api/feedback/submit" },
  issue: { path: "/report-issue/", button: "Submit Report", api: "/api/issue/submit" },
  link: { path: "/", button: "Continue to Next Step", api: "/api/recaptcha/verify" },
};

/** Fills in the fields with these names. An empty value does not change radio buttons. */
export async function fillInForm(page: Page, input: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(input)) {
    // The field "link" of the home page is "url" in the API.
    const control = page.locator(`form :is([name="${name}"]${name === "url" ? ', [name="link"]' : ""})`);
    const type = await control.first().evaluate((element) => (element as HTMLInputElement).type);
    if (type === "radio") {
      if (value) await page.locator(`form [name="${name}"][value="${value}"]`).check();
    } else if (type === "select-one") await control.selectOption(value);
    else await control.fill(value);
  }
}

/** Clicks the form's submit button. */
export function pressSend(page: Page, form: FormName): Promise<void> {
  return page.getByRole("button", { name: formPages[form].button }).click();
}
