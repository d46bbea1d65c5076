import type { Page } from "playwright-core";
import { fillInForm, formPages, pressSend } from "../support/browser/form-pages";
import { useRig } from "../support/rig";
import { Visitor } from "../support/visitor";
import { goodInput, sentInputs, typedInputs, type FormName } from "./inputs";

const rig = useRig({ browser: true });

const rows = sentInputs.map((row) => ({ ...row, shown: JSON.stringify(row.input)?.slice(0, 60) }));

it.each(rows)(
  "the API answers to $form, $field $shown: $message",
  async ({ form, field, input, message }) => {
    const visitor = new Visitor(rig.app.url);
    const answer = await visitor.post(formPages[form].api, {
      ...goodInput[form],
      [field]: input,
      token: "x",
    });
    expect(answer).toMatchObject({ status: 422, body: { code: "invalid_request" } });
    expect(answer.body.fields).toEqual({ [field]: message });
  },
);

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

it.each(Object.keys(goodInput) as FormName[])("the browser says the same, %s", async (form) => {
  const { page, problems } = await rig.open();
  const posted: string[] = [];
  page.on("request", (request) => request.method() === "POST" && posted.push(request.url()));
  await page.goto(rig.app.url + formPages[form].path);
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
