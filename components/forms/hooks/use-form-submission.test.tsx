import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { ContactForm } from "@/components/forms/contact-form";
import {
  data,
  events,
  expectToast,
  fillIn,
  showForm,
  solveCaptcha,
  summary,
  type Entry,
  type User,
} from "@/components/forms/test-form";
import type { FakeRoute } from "@/lib/client/api/test-fake-api";

/* The life of a form with a human check, on one of them. What each has of its own: forms.test.tsx, link-form.test.tsx. */

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
const kept = "What you wrote is still here.";

const show = (route?: FakeRoute) => showForm(<ContactForm />, "/api/contact/submit", route);
const field = (name: string) => screen.getByRole("textbox", { name });
const category = () => screen.getByRole("combobox", { name: "Category" });
const button = () => screen.getByRole("button", { name: "Send Message" });
const dialog = () => screen.findByRole("dialog", { name: "Verification Required" });
const expectResets = (count: number) =>
  waitFor(() => expect(screen.getByText(`Resets: ${count}`)).toBeInTheDocument());

/** With the form filled in and the check done. */
async function showReady(route?: FakeRoute) {
  const form = show(route);
  await fillIn(form.user, entries);
  await solveCaptcha(form.user);
  return form;
}

/** Presses the button and waits for the answer. */
async function press(user: User): Promise<void> {
  await user.click(button());
  await waitFor(() => expect(screen.queryByRole("button", { name: "Sending..." })).not.toBeInTheDocument());
}

/** Asks for the form once more, after a message was kept. */
const writeAnother = (user: User) => user.click(screen.getByRole("button", { name: "Send another" }));

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

test("closing the dialog that asks for the check resets it and leads there", async () => {
  const { user } = show();
  await fillIn(user, entries);
  await user.click(button());
  await dialog();
  await user.click(screen.getByRole("button", { name: "I'll Complete the Verification" }));
  await expectResets(1);
  await waitFor(() => expect(screen.getByRole("button", { name: "Solve the test captcha" })).toHaveFocus());
});

test("a kept message once more is another message: it needs another check, and another key", async () => {
  const { user, sent, keys } = await showReady();
  await press(user);
  expect(sent()[0]?.headers.get("x-visitor-fingerprint")).toBe("fp-1");

  await writeAnother(user);
  await fillIn(user, entries);
  await user.click(button());
  await dialog();
  await user.keyboard("{Escape}");
  await solveCaptcha(user);
  await press(user);
  expect(keys()).toEqual([expect.stringMatching(/^[\w-]{36}$/), expect.stringMatching(/^[\w-]{36}$/)]);
  expect(keys()[1]).not.toBe(keys()[0]);
});

test("two submits at once send once, and the button says so", async () => {
  const { user, sent } = await showReady("silent");
  const form = screen.getByRole("form");
  fireEvent.submit(form);
  fireEvent.submit(form);
  const sending = await screen.findByRole("button", { name: "Sending..." });
  expect(sending).toHaveAttribute("aria-disabled", "true");
  await user.dblClick(sending);
  expect(sent()).toHaveLength(1);
});

test("a page that comes back from the browser's memory can be sent again, after another check", async () => {
  const { user } = await showReady("silent");
  await user.click(button());
  await screen.findByRole("button", { name: "Sending..." });
  act(() => void window.dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true })));
  await expectResets(1);
  await user.click(button());
  await dialog();
});

const lost = "No answer came from the server. Check your connection and try again.";
const ours = "The fault is on our side. Please try again in a moment.";

test.each<[string, FakeRoute, string, number, string]>([
  ["an answer without success", { body: { success: false } }, "contact_form_error", 1, ""],
  [
    "a refusal",
    { status: 429, body: { code: "rate_limited", message: "No" } },
    "contact_form_error",
    0,
    "No",
  ],
  ["an outage", { status: 503, body: {} }, "contact_form_error", 1, ours],
  ["no answer", "offline", "contact_form_exception", 0, lost],
])(
  "%s is a failure: the button keeps saying why, the data stays, and a used token goes",
  async (_case, route, event, resets, cause) => {
    const { user, answerWith } = await showReady(route);
    const filled = data();
    await press(user);
    await expectToast("Error", failure);
    expect(button()).toHaveAccessibleDescription([failure, cause, kept].filter(Boolean).join(" "));
    expect(data()).toEqual(filled);
    await expectResets(resets);
    expect(events()).toEqual(["contact_form_submit", event]);

    if (resets > 0) await solveCaptcha(user);
    answerWith("silent");
    await user.click(button());
    expect(await screen.findByRole("button", { name: "Sending..." })).not.toHaveAccessibleDescription();
  },
);

test.each([
  ["message_cap", 429],
  ["inbox_full", 503],
])(
  "a bound that is reached (%s) is said in the server's words, which name an address",
  async (code, status) => {
    const message = "Please write to support@example.com instead.";
    const { user } = await showReady({ status, body: { success: false, code, message } });
    await press(user);
    await expectToast("Error", message);
    expect(button()).toHaveAccessibleDescription(`${message} ${kept}`);
  },
);

test("after a lost answer the same attempt goes on under its key; changed data is another attempt", async () => {
  const { user, sent, keys, answerWith } = await showReady("offline");
  await press(user);
  answerWith({ status: 503, body: { message: "No" } });
  await press(user);
  await expectResets(1);
  await solveCaptcha(user);
  answerWith("offline");
  await press(user);
  await user.type(field("Message"), " Please answer.");
  await press(user);

  const [first, ...more] = keys();
  expect(more).toEqual([first, first, expect.not.stringMatching(first!)]);
  // The lost request may not have arrived: its token is tried again.
  expect(sent().map((call) => (call.body as { token: string }).token)).toEqual([
    "token-1",
    "token-1",
    "token-2",
    "token-2",
  ]);
});

test.each<FakeRoute>([{ body: { success: false } }, { status: 422, body: { message: "No" } }])(
  "a definite refusal (%j) ends the attempt: the next one has a new key",
  async (route) => {
    const { user, keys } = await showReady(route);
    await press(user);
    await solveCaptcha(user);
    await press(user);
    expect(keys()).toHaveLength(2);
    expect(keys()[1]).not.toBe(keys()[0]);
  },
);

test("what the server finds wrong is a toast, and shown as the form's own findings are, until the field changes", async () => {
  const { user } = await showReady({
    status: 422,
    body: { code: "invalid_request", fields: { email: "Please enter a valid email address" } },
  });
  await user.click(button());
  await expectToast("Error", failure);
  await waitFor(() => expect(summary()).toHaveFocus());
  expect(button()).not.toHaveAccessibleDescription();
  expect(events()).toEqual(["contact_form_submit", "contact_form_error"]);
  expect(field("Email")).toHaveAccessibleDescription(/Please enter a valid email address/);
  await expectResets(0);
  await user.click(field("Email"));
  await user.tab();
  expect(field("Email")).toBeInvalid();
  await user.type(field("Email"), ".org");
  await user.tab();
  await waitFor(() => expect(field("Email")).toBeValid());
  expect(summary()).not.toBeInTheDocument();
});

test.each([
  [403, { code: "captcha_rejected", message: "No" }],
  [422, { code: "invalid_request", fields: { token: "Required" } }],
])("a rejected token (%p) resets the check and opens the dialog; the data stays", async (status, body) => {
  const { user, sent } = await showReady({ status, body });
  const filled = data();
  await user.click(button());
  expect(await dialog()).toHaveTextContent("Your check was not accepted.");
  await user.keyboard("{Escape}");
  await expectResets(2);
  expect(data()).toEqual(filled);
  expect(events()).toEqual(["contact_form_submit", "contact_form_error"]);
  await user.click(button());
  expect(await dialog()).toHaveTextContent("The check is not done yet.");
  expect(sent()).toHaveLength(1);
});
