import { act, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { MessageForm } from "@/components/forms/message-form";
import { goodInput } from "@/testing/good-input";
import { installFakeApi, type FakeRoute } from "@/testing/jest/fake-api";
import { flowEndedReply, receipt } from "@/testing/jest/flow-data";

/*
 * Validation, Idempotency-Keys, captcha tokens and analytics events of the forms. e2e/pages/screens has their texts, and e2e/forms
 * what they send.
 */

jest.mock("@/lib/client/api/fingerprint", () => ({ getFingerprint: () => Promise.resolve("fp-1") }));
jest.mock("@/components/captcha/altcha-widget");

const forms = ["contact", "feedback", "issue"] as const;
type Form = (typeof forms)[number];
type User = ReturnType<typeof userEvent.setup>;

const success: FakeRoute = { body: { success: true } };
const failure = "There was a problem sending your message. Please try again.";
const dataPreserved = "What you wrote is still here.";
const receiptRoute = "GET /api/instagram/receipt";

/** Renders a form. The fake API responds with `route` to what the form sends. */
function show(form: Form = "contact", route = success, receiptReply: FakeRoute = "silent") {
  window.dataLayer = [];
  const submitRoute = `POST /api/${form}/submit`;
  const api = installFakeApi({
    "GET /api/recaptcha/sitekey": { body: { sitekey: "key", provider: "altcha" } },
    [submitRoute]: route,
    [receiptRoute]: receiptReply,
  });
  render(<MessageForm id={form} />);
  const sent = () => api.callsOf(submitRoute);
  return {
    user: userEvent.setup(),
    sent,
    keys: () => sent().map(({ headers }) => headers.get("Idempotency-Key")),
    respondWith: (next: FakeRoute) => void (api.routes[submitRoute] = next),
    receiptRequests: () => api.callsOf(receiptRoute).length,
  };
}

/** Renders a form, fills in all fields and solves the captcha. */
async function showFilled(route?: FakeRoute) {
  const shown = show("contact", route);
  fillIn(goodInput.contact);
  await solveCaptcha(shown.user);
  return shown;
}

/** Enters the values into the fields with these names. */
function fillIn(input: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(input))
    for (const control of document.querySelectorAll<HTMLInputElement>(`[name="${name}"]`))
      if (control.type !== "radio") fireEvent.change(control, { target: { value } });
      else if (control.value === value) fireEvent.click(control);
}

/** The captcha loads when the visitor first uses the form. */
async function solveCaptcha(user: User): Promise<void> {
  await user.click(field("Name"));
  await user.click(await screen.findByRole("button", { name: "Solve the test captcha" }));
}

const field = (name: string) => screen.getByRole("textbox", { name });
const category = () => screen.getByRole("combobox", { name: "Category" });
const button = () => screen.getByRole("button", { name: /^(?:Send Message|Submit .+)$/ });
const dialog = () => screen.findByRole("dialog", { name: "Verification Required" });
const summary = () => screen.queryByRole("group", { name: "There is a problem" });
const expectResets = (count: number) =>
  waitFor(() => expect(screen.getByText(`Resets: ${count}`)).toBeInTheDocument());
const values = () => Object.fromEntries(new FormData(screen.getByRole<HTMLFormElement>("form")));
/** Returns the names of the analytics events so far. */
const events = () => (window.dataLayer ?? []).map((entry) => (entry as { event?: string }).event);

async function submit(user: User): Promise<void> {
  await user.click(button());
  await waitFor(() => expect(screen.queryByRole("button", { name: /ing\.\.\.$/ })).not.toBeInTheDocument());
}

/** The other fields of the issue form. It sends only fields that are not empty. */
const optional = { reference: "7K3M-0Q2X-9ZTB", url: goodInput.link.url, steps: "Wait." };

describe.each(forms)("the form %s", (form) => {
  test("focuses the summary of its errors, whose links lead to the fields", async () => {
    const { user, sent } = show(form);
    await user.click(button());
    await waitFor(() => expect(summary()).toHaveFocus());
    await user.click(button());
    await waitFor(() => expect(summary()).toHaveFocus());
    const links = within(summary()!).getAllByRole("link");
    expect(links).toHaveLength(document.querySelectorAll("[aria-invalid=true]").length);
    for (const link of links) {
      await user.click(link);
      expect(document.activeElement?.closest("[aria-invalid=true]")).toHaveAccessibleDescription(
        expect.stringContaining(`Error: ${link.textContent}`),
      );
    }
    expect(sent()).toHaveLength(0);
  });

  test("sends nothing without a token, keeps the data after a lost response, and starts anew after success", async () => {
    const { user, sent, keys, respondWith } = show(form, "offline");
    const empty = values();
    fillIn({ ...goodInput[form], name: "  Ada Lovelace " });
    await user.click(button());
    await dialog();
    expect(sent()).toHaveLength(0);
    expect(window.dataLayer).toEqual([{ event: `${form}_form_missing_captcha`, level: "warning" }]);
    await user.keyboard("{Escape}");
    await solveCaptcha(user);
    const filled = values();
    await submit(user);
    expect(values()).toEqual(filled);
    expect(sent()[0]?.headers.get("x-visitor-fingerprint")).toBe("fp-1");
    expect(sent()[0]?.body).toEqual({
      ...{ ...goodInput[form], name: "Ada Lovelace", token: "token-1" },
      ...(form === "issue" && { reproduceIssue: false }),
    });

    respondWith(success);
    await submit(user);
    expect(screen.getByText("person@example.com")).toBeVisible();
    const others = ["submit", "exception", "submit", "success"].map((name) => `contact_form_${name}`);
    expect(events().slice(1)).toEqual(form === "contact" ? others : []);
    await user.click(screen.getByRole("button", { name: "Send another" }));
    expect(values()).toEqual(empty);
    expect(field("Name")).toHaveFocus();

    fillIn({ ...goodInput[form], ...(form === "issue" && optional) });
    if (form === "issue") await user.click(screen.getByRole("checkbox"));
    await user.click(button());
    await dialog();
    await user.keyboard("{Escape}");
    await solveCaptcha(user);
    await submit(user);
    expect(sent()[2]?.body).toMatchObject(form === "issue" ? { ...optional, reproduceIssue: true } : {});
    const [first, repeated, another] = keys();
    expect(first).toMatch(/^[\w-]{36}$/);
    expect(repeated).toBe(first);
    expect(another).not.toBe(first);
  });
});

test("validates a text field when it loses focus after a change, and an invalid choice when it changes", async () => {
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

test("removes the error of a radio group as soon as a radio button is clicked", async () => {
  const { user } = show("feedback");
  await user.click(button());
  const group = screen.getByRole("radiogroup", { name: "Feedback type" });
  await waitFor(() => expect(group).toBeInvalid());
  await user.click(screen.getByRole("radio", { name: "Other" }));
  await waitFor(() => expect(group).toBeValid());
});

test("focuses the captcha and keeps its work when the dialog closes, and closes the dialog after the check", async () => {
  const { user } = show();
  fillIn(goodInput.contact);
  await user.click(button());
  const box = await dialog();
  // Selects text, and releases the button outside of the dialog.
  fireEvent.pointerDown(within(box).getByText("The check is not done yet."));
  fireEvent.click(box);
  expect(box).toBeVisible();
  await user.click(screen.getByRole("button", { name: "I'll Complete the Verification" }));
  const captcha = screen.getByRole("button", { name: "Solve the test captcha" });
  await waitFor(() => expect(captcha).toHaveFocus());

  await user.click(button());
  await dialog();
  fireEvent.click(captcha);
  await waitFor(() => expect(box).not.toBeVisible());
  await expectResets(0);
});

test("sends one request for two simultaneous submits, and disables the button", async () => {
  const { user, sent } = await showFilled("silent");
  const form = screen.getByRole("form");
  fireEvent.submit(form);
  fireEvent.submit(form);
  const sending = await screen.findByRole("button", { name: "Sending..." });
  expect(sending).toHaveAttribute("aria-disabled", "true");
  await user.dblClick(sending);
  expect(sent()).toHaveLength(1);
});

test("requires a new token after the browser restores the page from the back/forward cache", async () => {
  const { user } = await showFilled("silent");
  await user.click(button());
  await screen.findByRole("button", { name: "Sending..." });
  act(() => void window.dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true })));
  await expectResets(1);
  await user.click(button());
  await dialog();
});

const noResponse = "No answer came from the server. Check your connection and try again.";
const serverFault = "The fault is on our side. Please try again in a moment.";

test.each<[string, FakeRoute, event: string, resets: number, cause: string]>([
  ["a response without success", { body: { success: false } }, "error", 1, ""],
  ["a rejection", { status: 429, body: { code: "rate_limited", message: "No" } }, "error", 0, "No"],
  ["a server error", { status: 503, body: {} }, "error", 1, serverFault],
  ["a full inbox", { status: 503, body: { code: "inbox_full", message: "Write." } }, "error", 1, "Write."],
  ["a lost response", "offline", "exception", 0, noResponse],
])(
  "handles %s: shows the reason, keeps the data and discards a token that may be spent",
  async (_case, route, event, resets, cause) => {
    const { user, respondWith } = await showFilled(route);
    const filled = values();
    await submit(user);
    expect(button()).toHaveAccessibleDescription([failure, cause, dataPreserved].filter(Boolean).join(" "));
    expect(values()).toEqual(filled);
    await expectResets(resets);
    expect(events()).toEqual(["contact_form_submit", `contact_form_${event}`]);

    if (resets > 0) await solveCaptcha(user);
    respondWith("silent");
    await user.click(button());
    expect(await screen.findByRole("button", { name: "Sending..." })).not.toHaveAccessibleDescription();
  },
);

test("keeps the key after a lost response, and creates a new key for changed data", async () => {
  const { user, sent, keys, respondWith } = await showFilled("offline");
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
  const tokens = sent().map(({ body }) => (body as { token: string }).token);
  expect(tokens).toEqual(["token-1", "token-1", "token-2", "token-2"]);
});

test.each<FakeRoute>([{ body: { success: false } }, { status: 422, body: { message: "No" } }])(
  "creates a new key when the server certainly did not store the message (%j)",
  async (route) => {
    const { user, keys } = await showFilled(route);
    await submit(user);
    await solveCaptcha(user);
    await submit(user);
    expect(keys()).toHaveLength(2);
    expect(keys()[1]).not.toBe(keys()[0]);
  },
);

test("shows field errors of the server like client-side errors, until the field changes", async () => {
  const fields = { email: "Please enter a valid email address" };
  const { user } = await showFilled({ status: 422, body: { code: "invalid_request", fields } });
  await user.click(button());
  await waitFor(() => expect(summary()).toHaveFocus());
  expect(button()).not.toHaveAccessibleDescription();
  expect(events()).toEqual(["contact_form_submit", "contact_form_error"]);
  expect(field("Email")).toHaveAccessibleDescription(/Please enter a valid email address/);
  await expectResets(0);
  await user.type(field("Email"), ".org");
  expect(field("Email")).toBeInvalid();
  await user.tab();
  await waitFor(() => expect(field("Email")).toBeValid());
  expect(summary()).not.toBeInTheDocument();
});

test.each([
  [403, { code: "captcha_rejected", message: "No" }],
  [422, { code: "invalid_request", fields: { token: "Required" } }],
])(
  "resets the captcha, opens the dialog and keeps the data after a rejected token (%p)",
  async (status, body) => {
    const { user, sent } = await showFilled({ status, body });
    const filled = values();
    await user.click(button());
    expect(await dialog()).toHaveTextContent("Your check was not accepted.");
    await user.keyboard("{Escape}");
    await expectResets(1);
    expect(values()).toEqual(filled);
    expect(events()).toEqual(["contact_form_submit", "contact_form_error"]);
    await user.click(button());
    expect(await dialog()).toHaveTextContent("The check is not done yet.");
    expect(sent()).toHaveLength(1);
  },
);

describe("the order reference", () => {
  const order: FakeRoute = { body: { success: true, order: receipt } };
  afterEach(() => window.history.replaceState(null, "", "/"));

  test.each([
    { title: "comes from the receipt", expected: receipt.reference },
    { title: "stays as typed", typed: "typed", expected: "typed" },
    { title: "is empty after the end of the flow", reply: flowEndedReply, expected: "" },
    { title: "is empty for visitors from elsewhere", hash: "", requests: 0, expected: "" },
  ])("$title", async ({ hash = "#report", reply = order, typed = "", requests = 1, expected }) => {
    window.history.replaceState(null, "", `/report-issue${hash}`);
    const { receiptRequests } = show("issue", success, reply);
    fillIn({ reference: typed });
    await waitFor(() => expect(receiptRequests()).toBe(requests));
    await act(() => new Promise((resolve) => setTimeout(resolve, 50)));
    expect(field("Order reference (optional)")).toHaveValue(expected);
  });
});
