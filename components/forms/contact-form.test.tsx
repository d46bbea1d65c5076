import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { ContactForm } from "@/components/forms/contact-form";
import { events, showForm, solveCaptcha, summary } from "@/components/forms/test-form";
import type { FakeRoute } from "@/lib/client/test-fake-api";

jest.mock("@/lib/client/fingerprint", () => ({ getFingerprint: () => Promise.resolve("fp-1") }));
jest.mock("@/components/captcha/altcha-widget", () => ({
  AltchaWidget: jest.requireActual<typeof import("@/components/captcha/test-widget")>(
    "@/components/captcha/test-widget",
  ).TestWidget,
}));

const valid = {
  Name: "Ada Lovelace",
  Email: "ada@example.com",
  Subject: "A question",
  Message: "How long does it take?",
};
const failure = "There was a problem sending your message. Please try again.";

const show = (route?: FakeRoute) => showForm(<ContactForm />, "/api/contact/submit", route);
const field = (name: string) => screen.getByRole("textbox", { name });
const category = () => screen.getByRole("combobox", { name: "Category" });
const button = () => screen.getByRole("button", { name: "Send Message" });
type User = ReturnType<typeof show>["user"];

async function fillIn(user: User, values: Partial<typeof valid> = {}): Promise<void> {
  for (const [name, value] of Object.entries({ ...valid, ...values })) {
    await user.clear(field(name));
    if (value) await user.type(field(name), value);
  }
  await user.selectOptions(category(), "Technical Support");
}

test("an empty form is refused with every message, and the summary takes the focus and leads to the fields", async () => {
  const { user, sent } = show();
  await user.click(button());
  await waitFor(() => expect(summary()).toHaveFocus());
  const links = within(summary()!).getAllByRole("link");
  expect(links.map((link) => link.textContent)).toEqual([
    "Name must be at least 2 characters",
    "Please enter a valid email address",
    "Subject must be at least 5 characters",
    "Please select a category",
    "Message must be at least 10 characters",
  ]);
  await user.click(links[0]!);
  expect(field("Name")).toHaveFocus();
  expect(field("Name")).toBeInvalid();
  expect(field("Name")).toHaveAccessibleDescription("Error: Name must be at least 2 characters");
  await user.click(links[3]!);
  expect(category()).toHaveFocus();
  expect(sent()).toHaveLength(0);
  expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
});

test.each([
  ["Name", " A ", "Name must be at least 2 characters"],
  ["Email", "ada@", "Please enter a valid email address"],
  ["Subject", "Help", "Subject must be at least 5 characters"],
  ["Message", "Too short", "Message must be at least 10 characters"],
] as const)("%s %p is refused: %s", async (name, value, message) => {
  const { user, sent } = show();
  await fillIn(user, { [name]: value });
  await user.click(button());
  await waitFor(() => expect(summary()).toHaveFocus());
  expect(within(summary()!).getAllByRole("link")).toHaveLength(1);
  expect(field(name)).toHaveAccessibleDescription(expect.stringContaining(message));
  expect(sent()).toHaveLength(0);
});

test("typing is never judged, leaving a changed field is, and a choice takes its error away at once", async () => {
  const { user } = show();
  await user.click(field("Name"));
  await user.tab();
  expect(field("Name")).toBeValid();

  await user.type(field("Name"), "A");
  expect(field("Name")).toBeValid();
  await user.tab();
  await waitFor(() => expect(field("Name")).toBeInvalid());
  expect(summary()).not.toBeInTheDocument();

  await user.type(field("Name"), "da");
  expect(field("Name")).toBeInvalid();
  await user.tab();
  await waitFor(() => expect(field("Name")).toBeValid());

  await user.click(button());
  await waitFor(() => expect(category()).toBeInvalid());
  await user.selectOptions(category(), "Other");
  await waitFor(() => expect(category()).toBeValid());
  expect(within(summary()!).queryByText("Please select a category")).not.toBeInTheDocument();
});

test("without a token the dialog opens, nothing is sent, a warning is recorded; closing it resets the check", async () => {
  const { user, sent } = show();
  await fillIn(user);
  await user.click(button());
  expect(await screen.findByRole("dialog", { name: "Verification Required" })).toBeVisible();
  expect(sent()).toHaveLength(0);
  expect(window.dataLayer).toEqual([{ event: "contact_form_missing_captcha", level: "warning" }]);
  await user.click(screen.getByRole("button", { name: "I'll Complete the Verification" }));
  expect(await screen.findByText("Resets: 1")).toBeInTheDocument();
  await waitFor(() => expect(screen.getByRole("button", { name: "Solve the test captcha" })).toHaveFocus());
});

test("a kept message is confirmed, and form, token and check start anew", async () => {
  const { user, sent } = show();
  await fillIn(user, { Name: "  Ada Lovelace " });
  await solveCaptcha(user);
  await user.click(button());
  expect((await screen.findAllByText("Message sent!"))[0]).toBeVisible();
  expect(screen.getAllByText("We'll get back to you as soon as possible.")[0]).toBeVisible();
  const [call] = sent();
  expect(call?.body).toEqual({
    name: "Ada Lovelace",
    email: "ada@example.com",
    subject: "A question",
    category: "technical",
    message: "How long does it take?",
    token: "token-1",
  });
  expect(call?.headers.get("x-visitor-fingerprint")).toBe("fp-1");
  expect(call?.headers.get("Idempotency-Key")).toMatch(/^[\w-]{36}$/);
  for (const name of Object.keys(valid)) expect(field(name)).toHaveValue("");
  expect(category()).toHaveValue("");
  expect(screen.getByText("Resets: 1")).toBeInTheDocument();
  expect(events()).toEqual(["contact_form_submit", "contact_form_success"]);

  // The same message once more is another message: it needs another check, and another key.
  await fillIn(user);
  await user.click(button());
  expect(await screen.findByRole("dialog")).toBeVisible();
  await user.keyboard("{Escape}");
  await solveCaptcha(user);
  await user.click(button());
  await waitFor(() => expect(sent()).toHaveLength(2));
  expect(sent()[1]?.headers.get("Idempotency-Key")).not.toBe(call?.headers.get("Idempotency-Key"));
});

test("two submits at once send once, and the button says so", async () => {
  const { user, sent } = show("silent");
  await fillIn(user);
  await solveCaptcha(user);
  const form = screen.getByRole("form");
  fireEvent.submit(form);
  fireEvent.submit(form);
  const sending = await screen.findByRole("button", { name: "Sending..." });
  expect(sending).toHaveAttribute("aria-disabled", "true");
  await user.dblClick(sending);
  expect(sent()).toHaveLength(1);
});

test.each<[string, FakeRoute, string, number]>([
  ["an answer without success", { body: { success: false } }, "contact_form_error", 1],
  ["a refusal", { status: 429, body: { code: "rate_limited", message: "No" } }, "contact_form_error", 0],
  ["an outage", { status: 503, body: { message: "No" } }, "contact_form_error", 1],
  ["no answer", "offline", "contact_form_exception", 0],
])("%s is a failure: the data stays, and a used token goes", async (_case, route, event, resets) => {
  const { user } = show(route);
  await fillIn(user);
  await solveCaptcha(user);
  await user.click(button());
  expect((await screen.findAllByText(failure))[0]).toBeVisible();
  expect(screen.getAllByText("Error")[0]).toBeVisible();
  for (const [name, value] of Object.entries(valid)) expect(field(name)).toHaveValue(value);
  expect(category()).toHaveValue("technical");
  expect(button()).not.toHaveAttribute("aria-disabled");
  expect(screen.getByText(`Resets: ${resets}`)).toBeInTheDocument();
  expect(events()).toEqual(["contact_form_submit", event]);
});

test("after a lost answer the same attempt goes on under its key; changed data is another attempt", async () => {
  const { user, sent, answerWith } = show("offline");
  await fillIn(user);
  await solveCaptcha(user);
  await user.click(button());
  expect((await screen.findAllByText(failure))[0]).toBeVisible();

  answerWith({ status: 503, body: { message: "No" } });
  await user.click(button());
  await waitFor(() => expect(screen.getByText("Resets: 1")).toBeInTheDocument());
  await solveCaptcha(user);
  answerWith("offline");
  await user.click(button());
  await waitFor(() => expect(sent()).toHaveLength(3));
  await waitFor(() => expect(button()).toBeVisible());
  await user.type(field("Message"), " Please answer.");
  await user.click(button());
  await waitFor(() => expect(sent()).toHaveLength(4));

  const keys = sent().map((call) => call.headers.get("Idempotency-Key"));
  expect(keys[1]).toBe(keys[0]);
  expect(keys[2]).toBe(keys[0]);
  expect(keys[3]).not.toBe(keys[0]);
  // The lost request may not have arrived: its token is tried again.
  expect(sent().map((call) => (call.body as { token: string }).token)).toEqual([
    "token-1",
    "token-1",
    "token-2",
    "token-2",
  ]);
});

test("a definite refusal ends the attempt: the next one has a new key", async () => {
  const { user, sent } = show({ body: { success: false } });
  await fillIn(user);
  for (const count of [1, 2]) {
    await solveCaptcha(user);
    await user.click(button());
    await waitFor(() => expect(sent()).toHaveLength(count));
    await waitFor(() => expect(button()).toBeVisible());
  }
  const keys = sent().map((call) => call.headers.get("Idempotency-Key"));
  expect(keys[1]).not.toBe(keys[0]);
});

test("what the server finds wrong is shown as the form's own findings are, until the field changes", async () => {
  const { user } = show({
    status: 422,
    body: { code: "invalid_request", fields: { email: "Please enter a valid email address" } },
  });
  await fillIn(user);
  await solveCaptcha(user);
  await user.click(button());
  await waitFor(() => expect(summary()).toHaveFocus());
  expect(field("Email")).toHaveAccessibleDescription(/Please enter a valid email address/);
  expect(screen.getByText("Resets: 0")).toBeInTheDocument();
  await user.click(field("Email"));
  await user.tab();
  expect(field("Email")).toBeInvalid();
  await user.type(field("Email"), ".org");
  await user.tab();
  await waitFor(() => expect(field("Email")).toBeValid());
  expect(summary()).not.toBeInTheDocument();
});

test("a rejected token resets the check and opens the dialog; the data stays", async () => {
  const { user, sent } = show({ status: 403, body: { code: "captcha_rejected", message: "No" } });
  await fillIn(user);
  await solveCaptcha(user);
  await user.click(button());
  expect(await screen.findByRole("dialog", { name: "Verification Required" })).toBeVisible();
  await user.keyboard("{Escape}");
  expect(field("Name")).toHaveValue(valid.Name);
  await user.click(button());
  expect(await screen.findByRole("dialog")).toBeVisible();
  expect(sent()).toHaveLength(1);
});
