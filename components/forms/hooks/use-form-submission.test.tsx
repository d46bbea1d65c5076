import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { MessageForm } from "@/components/forms/message-form";
import {
  formValues,
  recordedEvents,
  expectToast,
  fillIn,
  renderForm,
  solveCaptcha,
  findErrorSummary,
  type Entry,
  type User,
} from "@/testing/jest/form";
import type { FakeRoute } from "@/testing/jest/fake-api";

/* Tests useFormSubmission with the contact form. forms.test.tsx tests the three forms. */

jest.mock("@/lib/client/api/fingerprint", () => ({ getFingerprint: () => Promise.resolve("fp-1") }));
jest.mock("@/components/captcha/altcha-widget");

const entries: Entry[] = [
  ["textbox", "Name", "Ada Lovelace"],
  ["textbox", "Email", "ada@example.com"],
  ["textbox", "Subject", "A question"],
  ["combobox", "Category", "Technical Support"],
  ["textbox", "Message", "How long does it take?"],
];
const failure = "There was a problem sending your message. Please try again.";
const dataPreserved = "What you wrote is still here.";

const show = (route?: FakeRoute) => renderForm(<MessageForm id="contact" />, "/api/contact/submit", route);
const field = (name: string) => screen.getByRole("textbox", { name });
const category = () => screen.getByRole("combobox", { name: "Category" });
const button = () => screen.getByRole("button", { name: "Send Message" });
const dialog = () => screen.findByRole("dialog", { name: "Verification Required" });
const expectResets = (count: number) =>
  waitFor(() => expect(screen.getByText(`Resets: ${count}`)).toBeInTheDocument());

/** Renders the contact form, fills in all fields and solves the captcha. */
async function showFilledForm(route?: FakeRoute) {
  const form = show(route);
  await fillIn(form.user, entries);
  await solveCaptcha(form.user);
  return form;
}

async function submit(user: User): Promise<void> {
  await user.click(button());
  await waitFor(() => expect(screen.queryByRole("button", { name: "Sending..." })).not.toBeInTheDocument());
}

const writeAnother = (user: User) => user.click(screen.getByRole("button", { name: "Send another" }));

test("validates a text field when it loses focus after a change, and an invalid select when it changes", async () => {
  const { user } = show();
  await user.click(field("Name"));
  await user.tab();
  expect(field("Name")).toBeValid();

  await user.type(field("Name"), "A");
  expect(field("Name")).toBeValid();
  await user.tab();
  await waitFor(() => expect(field("Name")).toBeInvalid());
  expect(findErrorSummary()).not.toBeInTheDocument();

  await user.type(field("Name"), "da");
  expect(field("Name")).toBeInvalid();
  await user.tab();
  await waitFor(() => expect(field("Name")).toBeValid());

  await user.click(button());
  await waitFor(() => expect(category()).toBeInvalid());
  await user.selectOptions(category(), "Other");
  await waitFor(() => expect(category()).toBeValid());
  expect(within(findErrorSummary()!).queryByText("Please select a category")).not.toBeInTheDocument();
});

test("focuses the captcha and keeps its work when the dialog closes, and closes the dialog after the check", async () => {
  const { user } = show();
  await fillIn(user, entries);
  await user.click(button());
  const box = await dialog();
  // Selects text, and releases the button outside of the dialog.
  fireEvent.pointerDown(within(box).getByText("The check is not done yet."));
  fireEvent.click(box);
  expect(box).toBeVisible();
  await user.click(screen.getByRole("button", { name: "I'll Complete the Verification" }));
  const captcha = screen.getByRole("button", { name: "Solve the test captcha" });
  await waitFor(() => expect(captcha).toHaveFocus());
  await expectResets(0);

  await user.click(button());
  await dialog();
  fireEvent.click(captcha);
  await waitFor(() => expect(box).not.toBeVisible());
  await expectResets(0);
});

test("requires a new token and a new key to send the same data again after success", async () => {
  const { user, sent, keys } = await showFilledForm();
  await submit(user);
  expect(sent()[0]?.headers.get("x-visitor-fingerprint")).toBe("fp-1");

  await writeAnother(user);
  await fillIn(user, entries);
  await user.click(button());
  await dialog();
  await user.keyboard("{Escape}");
  await solveCaptcha(user);
  await submit(user);
  expect(keys()).toEqual([expect.stringMatching(/^[\w-]{36}$/), expect.stringMatching(/^[\w-]{36}$/)]);
  expect(keys()[1]).not.toBe(keys()[0]);
});

test("sends one request for two simultaneous submits, and disables the button", async () => {
  const { user, sent } = await showFilledForm("silent");
  const form = screen.getByRole("form");
  fireEvent.submit(form);
  fireEvent.submit(form);
  const sending = await screen.findByRole("button", { name: "Sending..." });
  expect(sending).toHaveAttribute("aria-disabled", "true");
  await user.dblClick(sending);
  expect(sent()).toHaveLength(1);
});

test("requires a new token after the browser restores the page from the back/forward cache", async () => {
  const { user } = await showFilledForm("silent");
  await user.click(button());
  await screen.findByRole("button", { name: "Sending..." });
  act(() => void window.dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true })));
  await expectResets(1);
  await user.click(button());
  await dialog();
});

const noResponse = "No answer came from the server. Check your connection and try again.";
const serverFault = "The fault is on our side. Please try again in a moment.";

test.each<[string, FakeRoute, string, number, string]>([
  ["a response without success", { body: { success: false } }, "contact_form_error", 1, ""],
  [
    "a rejection",
    { status: 429, body: { code: "rate_limited", message: "No" } },
    "contact_form_error",
    0,
    "No",
  ],
  ["a server error", { status: 503, body: {} }, "contact_form_error", 1, serverFault],
  ["a lost response", "offline", "contact_form_exception", 0, noResponse],
])(
  "handles %s: shows the reason, keeps the data and discards a token that may be spent",
  async (_case, route, event, resets, cause) => {
    const { user, respondWith } = await showFilledForm(route);
    const filled = formValues();
    await submit(user);
    await expectToast("Error", failure);
    expect(button()).toHaveAccessibleDescription([failure, cause, dataPreserved].filter(Boolean).join(" "));
    expect(formValues()).toEqual(filled);
    await expectResets(resets);
    expect(recordedEvents()).toEqual(["contact_form_submit", event]);

    if (resets > 0) await solveCaptcha(user);
    respondWith("silent");
    await user.click(button());
    expect(await screen.findByRole("button", { name: "Sending..." })).not.toHaveAccessibleDescription();
  },
);

test.each([
  ["message_cap", 429],
  ["inbox_full", 503],
])("shows the message of the server, with its email address, for %s", async (code, status) => {
  const message = "Please write to support@example.com instead.";
  const { user } = await showFilledForm({ status, body: { success: false, code, message } });
  await submit(user);
  await expectToast("Error", failure);
  expect(button()).toHaveAccessibleDescription(`${failure} ${message} ${dataPreserved}`);
});

test("keeps the key after a lost response, and creates a new key for changed data", async () => {
  const { user, sent, keys, respondWith } = await showFilledForm("offline");
  await submit(user);
  respondWith({ status: 503, body: { message: "No" } });
  await submit(user);
  await expectResets(1);
  await solveCaptcha(user);
  respondWith("offline");
  await submit(user);
  await user.type(field("Message"), " Please answer.");
  await submit(user);

  const [first, ...more] = keys();
  expect(more).toEqual([first, first, expect.not.stringMatching(first!)]);
  // After "offline", the client sends the same token again, because the server may not have received it.
  expect(sent().map((call) => (call.body as { token: string }).token)).toEqual([
    "token-1",
    "token-1",
    "token-2",
    "token-2",
  ]);
});

test.each<FakeRoute>([{ body: { success: false } }, { status: 422, body: { message: "No" } }])(
  "creates a new key when the server certainly did not store the message (%j)",
  async (route) => {
    const { user, keys } = await showFilledForm(route);
    await submit(user);
    await solveCaptcha(user);
    await submit(user);
    expect(keys()).toHaveLength(2);
    expect(keys()[1]).not.toBe(keys()[0]);
  },
);

test("shows field errors of the server like client-side errors, until the field changes", async () => {
  const { user } = await showFilledForm({
    status: 422,
    body: { code: "invalid_request", fields: { email: "Please enter a valid email address" } },
  });
  await user.click(button());
  await expectToast("Error", failure);
  await waitFor(() => expect(findErrorSummary()).toHaveFocus());
  expect(button()).not.toHaveAccessibleDescription();
  expect(recordedEvents()).toEqual(["contact_form_submit", "contact_form_error"]);
  expect(field("Email")).toHaveAccessibleDescription(/Please enter a valid email address/);
  await expectResets(0);
  await user.click(field("Email"));
  await user.tab();
  expect(field("Email")).toBeInvalid();
  await user.type(field("Email"), ".org");
  await user.tab();
  await waitFor(() => expect(field("Email")).toBeValid());
  expect(findErrorSummary()).not.toBeInTheDocument();
});

test.each([
  [403, { code: "captcha_rejected", message: "No" }],
  [422, { code: "invalid_request", fields: { token: "Required" } }],
])(
  "resets the captcha, opens the dialog and keeps the data after a rejected token (%p)",
  async (status, body) => {
    const { user, sent } = await showFilledForm({ status, body });
    const filled = formValues();
    await user.click(button());
    expect(await dialog()).toHaveTextContent("Your check was not accepted.");
    await user.keyboard("{Escape}");
    await expectResets(1);
    expect(formValues()).toEqual(filled);
    expect(recordedEvents()).toEqual(["contact_form_submit", "contact_form_error"]);
    await user.click(button());
    expect(await dialog()).toHaveTextContent("The check is not done yet.");
    expect(sent()).toHaveLength(1);
  },
);
