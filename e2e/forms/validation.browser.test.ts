import { expect, test, useServers } from "@/testing/test";
import { fillInForm, formPages, pressSend } from "@/testing/browser/form-pages";
import { Visitor } from "@/testing/visitor";
import { contactFields } from "@/lib/schemas/forms";
import { goodInput, type FormName } from "@/testing/good-input";
import { sentInputs, typedInputs } from "./inputs";

const servers = useServers();

for (const form of Object.keys(goodInput) as FormName[]) {
  test(`the API rejects invalid input with the field's message: ${form}`, async () => {
    for (const { field, input, message } of sentInputs.filter((row) => row.form === form)) {
      const visitor = new Visitor(servers.app.url);
      const body = { ...goodInput[form], [field]: input, token: "x" };
      const response = await visitor.post(formPages[form].api, body);
      const about = `${field} ${JSON.stringify(input)?.slice(0, 60)}`;
      expect(response, about).toMatchObject({ status: 422, body: { code: "invalid_request" } });
      expect(response.body.fields, about).toEqual({ [field]: message });
    }
  });

  test(`the page shows the same messages and sends nothing: ${form}`, async ({ open }) => {
    const { page, problems } = await open();
    const posts: string[] = [];
    page.on("request", (request) => request.method() === "POST" && posts.push(request.url()));
    await page.goto(servers.app.url + formPages[form].path);
    const invalid = page.locator('[aria-invalid="true"]');
    const summary = page.getByRole("group", { name: "There is a problem" });
    for (const { field, input, message } of typedInputs.filter((row) => row.form === form)) {
      await fillInForm(page, { ...goodInput[form], [field]: input });
      await pressSend(page, form);
      const about = `${field} ${input.slice(0, 60)}`;
      // Advice may follow the message.
      await expect(invalid, about).toHaveAccessibleDescription(new RegExp(`^Error: ?${message}`));
      // Step 1 has only one field, and therefore no summary.
      await expect(summary.getByRole("link"), about).toHaveText(form === "link" ? [] : [message]);
      await fillInForm(page, { [field]: "", ...goodInput[form] });
      await page.keyboard.press("Tab");
      await expect(invalid, about).toHaveCount(0);
    }
    expect(posts).toEqual([]);
    expect(problems).toEqual([]);
  });
}

test("the API accepts the email addresses that the browser accepts", async ({ open }) => {
  const { page } = await open();
  await page.goto(servers.app.url + formPages.contact.path);
  const field = page.getByRole("textbox", { name: "Email" });
  const accepted =
    "r&d@b.example o'neil@b.example a@b.xn--p1ai a@b .a..b.@b.example a@münchen.example a@例子.公司 a@b。example";
  const refused =
    'a@b_c.example a@-b.example a@b..example ü@b.example "a"@b.example a@[1.1.1.1] a@ü/b.example a@ü..example';
  for (const address of [...accepted.split(" "), ...refused.split(" ")]) {
    await field.fill("");
    await field.pressSequentially(address);
    const value = await field.inputValue();
    // Chromium writes the ASCII form of the domain into the field, Firefox does not.
    const results = [address, value].map((text) => contactFields.shape.email.safeParse(text));
    const isValid = await field.evaluate((element: HTMLInputElement) => element.validity.valid);
    expect([address, ...results.map(({ success }) => success)]).toEqual([address, isValid, isValid]);
    expect(results[0]!.data).toBe(results[1]!.data);
  }
  // East Asian keyboards write full-width characters, which no browser accepts.
  for (const address of ["taro＠example.com", "ｔａｒｏ＠ｅｘａｍｐｌｅ．ｃｏｍ"])
    expect(contactFields.shape.email.parse(address)).toBe("taro@example.com");
});

test("names and texts of any script have their lengths and their direction", async ({ open }) => {
  const { name, message } = contactFields.shape;
  for (const text of ["ปู", "दी", "李", "Ål"])
    expect([text, name.safeParse(text).success]).toEqual([text, true]);
  expect(message.safeParse("按了按钮没有反应").success).toBe(true);
  const { page } = await open(servers.app.url + formPages.contact.path);
  for (const label of ["Name", "Subject", "Message", "Email"]) {
    const field = page.getByRole("textbox", { name: label });
    await field.fill("مرحبا 7K3M");
    await expect(field).toHaveCSS("direction", label === "Email" ? "ltr" : "rtl");
  }
});
