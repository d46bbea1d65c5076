import { goodInput } from "@/testing/good-input";
import { contactBody, contactFields, feedbackBody, issueBody } from "./forms";

/* lib/flow/instagram-link.test.ts covers the link of step 1. */

const bodies = { contact: contactBody, feedback: feedbackBody, issue: issueBody };

const shortName = "Name must be at least 2 characters";
const badEmail = "Please enter a valid email address";
const longLocalPart = `${"x".repeat(65)}@example.com`;
const longDomain = `x@${"x.".repeat(125)}example`;

it.each<[form: keyof typeof bodies, field: string, message: string, inputs: unknown[]]>([
  ["contact", "name", shortName, ["", "A", " A ", "👩🏽‍🚀"]],
  ["contact", "email", badEmail, ["", "nobody", "@example.com", longLocalPart, longDomain]],
  ["contact", "email", badEmail, ["a@b.example\nBcc: c@d.example"]],
  ["contact", "subject", "Subject must be at least 5 characters", ["", "Four"]],
  ["contact", "category", "Please select a category", ["", "praise", undefined]],
  ["contact", "message", "Message must be at least 10 characters", ["", "Too short", "         x", "🇩🇪🇫🇷"]],
  ["contact", "message", "Please use at most 5,000 characters", ["😀".repeat(5_001)]],
  ["contact", "message", "This text is too long. Please shorten it", ["🧑🏽‍🚀".repeat(1_400)]],
  ["contact", "message", "Required", [undefined, 5]],
  ["contact", "token", "Required", ["", undefined, 5]],
  ["feedback", "name", shortName, ["A"]],
  ["feedback", "email", badEmail, ["nobody"]],
  ["feedback", "feedbackType", "Please select a feedback type", ["", "praise", undefined]],
  ["feedback", "message", "Message must be at least 10 characters", ["Too short"]],
  ["issue", "name", shortName, ["A"]],
  ["issue", "email", badEmail, ["nobody"]],
  ["issue", "issueType", "Please select an issue type", ["", "praise", undefined]],
  ["issue", "device", "Please select your device type", ["", "toaster", undefined]],
  ["issue", "browser", "Please select your browser", ["", "lynx", undefined]],
  ["issue", "description", "Description must be at least 10 characters", ["", "Too short"]],
  ["issue", "reference", "Please use at most 100 characters", ["x".repeat(101)]],
  ["issue", "steps", "Please use at most 5,000 characters", ["x".repeat(5_001)]],
  ["issue", "reproduceIssue", "Invalid input", ["yes"]],
])("the form %s rejects an invalid %s: %s", (form, field, message, inputs) => {
  const valid = { ...goodInput[form], token: "x" };
  expect(bodies[form].safeParse(valid).success).toBe(true);
  for (const input of inputs) {
    const { error } = bodies[form].safeParse({ ...valid, [field]: input });
    const [issue] = error?.issues ?? [];
    expect([input, issue?.path, issue?.message]).toEqual([input, [field], message]);
  }
});

/** Chromium says the same about an input of the type "email". */
it.each([
  [true, "r&d@b.example o'neil@b.example a@b.xn--p1ai a@b .a..b.@b.example a@münchen.example a@b。example"],
  [
    false,
    'a@b_c.example a@-b.example a@b..example ü@b.example "a"@b.example a@[1.1.1.1] a@ü/b.example a@ü..example',
  ],
])("accepts (%s) the email addresses %s", (isValid, addresses) => {
  for (const address of addresses.split(" "))
    expect([address, contactFields.shape.email.safeParse(address).success]).toEqual([address, isValid]);
});

it("accepts short names and texts of scripts with syllables", () => {
  const { name, message, email } = contactFields.shape;
  for (const text of ["ปู", "दी", "李", "Ål"])
    expect([text, name.safeParse(text).success]).toEqual([text, true]);
  expect(message.safeParse("按了按钮没有反应").success).toBe(true);
  // East Asian keyboards write full-width characters, which no browser accepts.
  for (const address of ["taro＠example.com", "ｔａｒｏ＠ｅｘａｍｐｌｅ．ｃｏｍ"])
    expect(email.parse(address)).toBe("taro@example.com");
});
