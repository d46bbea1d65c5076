import { expect, test, useServers } from "../support/test";
import type { Page } from "@playwright/test";
import { fillInForm, formPages, pressSend } from "../support/browser/form-pages";
import { Visitor } from "../support/visitor";
import { goodInput, sentInputs, typedInputs, type FormName } from "./inputs";

const servers = useServers();

const rows = sentInputs.map((row) => ({ ...row, shown: JSON.stringify(row.input)?.slice(0, 60) }));

for (const { shown, form, field, input, message } of rows)
  test(`the API answers to ${form}, ${field} ${shown}: ${message}`, async () => {
    const visitor = new Visitor(servers.app.url);
    const answer = await visitor.post(formPages[form].api, {
      ...goodInput[form],
      [field]: input,
      token: "x",
    });
    expect(answer).toMatchObject({ status: 422, body: { code: "invalid_request" } });
    expect(answer.body.fields).toEqual({ [field]: message });
  });

const invalid = (page: Page) => page.locator('[aria-invalid="true"]');

/** The words at the one field that is marked as wrong, and those of the summary above the form. */
async function readMessages(page: Page): Promise<{ atField: string; inSummary: string[] }> {
  await invalid(page).waitFor();
  const described = (await invalid(page).getAttribute("aria-describedby")) ?? "";
  const words = await page.locator(`[id="${described.split(" ")[0]}"]`).innerText();
  const summary = page.getByRole("group", { name: "There is a problem" });
  return {
    // A hint may stand below the message.
    atField: words.replace(/^Error:\s*/, "").split("\n")[0] ?? "",
    inSummary: await summary.getByRole("link").allInnerTexts(),
  };
}

for (const form of Object.keys(goodInput) as FormName[])
  test(`the browser says the same, ${form}`, async ({ open }) => {
    const { page, problems } = await open();
    const posted: string[] = [];
    page.on("request", (request) => request.method() === "POST" && posted.push(request.url()));
    await page.goto(servers.app.url + formPages[form].path);
    const expected = typedInputs.filter((row) => row.form === form);
    const shown: unknown[] = [];
    for (const { field, input } of expected) {
      await fillInForm(page, { ...goodInput[form], [field]: input });
      await pressSend(page, form);
      shown.push({ field, input, ...(await readMessages(page)) });
      // Good again: the next message is a new one.
      await fillInForm(page, { [field]: "", ...goodInput[form] });
      await page.keyboard.press("Tab");
      await invalid(page).waitFor({ state: "detached" });
    }
    expect(shown).toEqual(
      expected.map(({ field, input, message }) => ({
        field,
        input,
        atField: message,
        // The one field of step 1 needs none.
        inSummary: form === "link" ? [] : [message],
      })),
    );
    expect(posted).toEqual([]);
    expect(problems).toEqual([]);
  });
