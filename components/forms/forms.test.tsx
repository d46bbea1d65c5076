import { act, cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { receipt } from "@/testing/jest/flow-data";
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
} from "@/testing/jest/form";
import type { FakeRoute } from "@/testing/jest/fake-api";

/* Runs the same tests for each form. use-form-submission.test.tsx has more tests for the contact form. */

jest.mock("@/lib/client/api/fingerprint", () => ({ getFingerprint: () => Promise.resolve("fp-1") }));
jest.mock("@/components/captcha/altcha-widget");

const sender: Entry[] = [
  ["textbox", "Name", "  Ada Lovelace "],
  ["textbox", "Email", "ada@example.com"],
];
const sentSender = { name: "Ada Lovelace", email: "ada@example.com", token: "token-1" };
const senderMessages = ["Name must be at least 2 characters", "Please enter a valid email address"];

const forms = [
  {
    id: "contact" as const,
    path: "/api/contact/submit",
    action: ["Send Message", "Sending..."],
    messages: [
      ...senderMessages,
      "Subject must be at least 5 characters",
      "Please select a category",
      "Message must be at least 10 characters",
    ],
    entries: [
      ["textbox", "Subject", "A question"],
      ["combobox", "Category", "Technical Support"],
      ["textbox", "Message", "How long does it take?"],
    ],
    body: { subject: "A question", category: "technical", message: "How long does it take?" },
    success: ["Message sent!", "We'll get back to you as soon as possible."],
    confirmation: "We have your message",
    failure: "There was a problem sending your message. Please try again.",
    missingCaptcha: "contact_form_missing_captcha",
    recorded: [
      "contact_form_submit",
      "contact_form_exception",
      "contact_form_submit",
      "contact_form_success",
    ],
  },
  {
    id: "feedback" as const,
    path: "/api/feedback/submit",
    action: ["Submit Feedback", "Submitting..."],
    messages: [...senderMessages, "Please select a feedback type", "Message must be at least 10 characters"],
    entries: [
      ["radio", "Feature"],
      ["textbox", "Message", "Please add a countdown."],
    ],
    body: { feedbackType: "feature", message: "Please add a countdown." },
    success: ["Feedback submitted!", "Thank you for helping us improve our service."],
    confirmation: "We have your feedback",
    failure: "There was a problem submitting your feedback. Please try again.",
    missingCaptcha: "feedback_form_missing_captcha",
    recorded: [],
  },
  {
    id: "issue" as const,
    path: "/api/issue/submit",
    action: ["Submit Report", "Submitting..."],
    messages: [
      ...senderMessages,
      "Please select an issue type",
      "Please select your device type",
      "Please select your browser",
      "Description must be at least 10 characters",
    ],
    entries: [
      ["combobox", "Issue type", "Likes not received"],
      ["textbox", "Order reference (optional)", "7K3M-0Q2X-9ZTB"],
      ["textbox", "Link of the affected post (optional)", "https://www.instagram.com/p/abc/"],
      ["combobox", "Device", "iPhone"],
      ["combobox", "Browser", "Safari"],
      ["textbox", "What happened?", "No likes after three hours."],
      ["textbox", "Steps that lead to it (optional)", "Wait."],
      ["checkbox", "It happens every time I follow these steps"],
    ],
    body: {
      issueType: "likes",
      reference: "7K3M-0Q2X-9ZTB",
      url: "https://www.instagram.com/p/abc/",
      device: "iphone",
      browser: "safari",
      description: "No likes after three hours.",
      steps: "Wait.",
      reproduceIssue: true,
    },
    success: ["Issue reported!", "Thank you for reporting this issue. Our team will investigate it."],
    confirmation: "We have your report",
    failure: "There was a problem submitting your report. Please try again.",
    missingCaptcha: "issue_form_missing_captcha",
    recorded: [],
  },
] satisfies { entries: Entry[]; [more: string]: unknown }[];

describe.each(forms)("$path", ({ id, path, action: [idle = "", busy = ""], messages, ...form }) => {
  const entries: Entry[] = [...sender, ...form.entries];
  const show = (route?: FakeRoute) => renderForm(<MessageForm id={id} />, path, route);
  const button = () => screen.getByRole("button", { name: idle });

  test("rejects an empty form, focuses the error summary and links each error to its field", async () => {
    const { user, sent } = show();
    await user.click(button());
    await waitFor(() => expect(findErrorSummary()).toHaveFocus());
    const links = within(findErrorSummary()!).getAllByRole("link");
    expect(links.map((link) => link.textContent)).toEqual(messages);
    for (const [index, link] of links.entries()) {
      await user.click(link);
      expect(document.activeElement?.closest("[aria-invalid=true]")).toHaveAccessibleDescription(
        expect.stringContaining(`Error: ${messages[index]}`),
      );
    }
    expect(sent()).toHaveLength(0);
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
  });

  test("opens the captcha dialog without a token, and sends all data with a token", async () => {
    const { user, sent } = show("silent");
    await fillIn(user, entries);
    await user.click(button());
    expect(await screen.findByRole("dialog", { name: "Verification Required" })).toBeVisible();
    expect(sent()).toHaveLength(0);
    expect(window.dataLayer).toEqual([{ event: form.missingCaptcha, level: "warning" }]);
    await user.keyboard("{Escape}");
    await solveCaptcha(user);
    await user.click(button());
    expect(await screen.findByRole("button", { name: busy })).toBeVisible();
    expect(sent().map((call) => call.body)).toEqual([{ ...sentSender, ...form.body }]);
  });

  test("keeps the data after a lost response, and shows a confirmation and an empty form after success", async () => {
    const { user, respondWith } = show("offline");
    const empty = formValues();
    await fillIn(user, entries);
    const filled = formValues();
    await solveCaptcha(user);
    await user.click(button());
    await expectToast("Error", form.failure);
    expect(formValues()).toEqual(filled);

    respondWith({ body: { success: true } });
    await user.click(button());
    await expectToast(...form.success);
    expect(recordedEvents()).toEqual(form.recorded);
    expect(screen.getByRole("heading", { name: form.confirmation })).toHaveFocus();
    expect(screen.getByText("ada@example.com")).toBeVisible();
    expect(screen.queryByRole("form")).not.toBeInTheDocument();

    await user.click(screen.getByRole("button", { name: "Send another" }));
    expect(formValues()).toEqual(empty);
    expect(screen.getByRole("textbox", { name: "Name" })).toHaveFocus();
    expect(screen.queryByText(form.confirmation)).not.toBeInTheDocument();
  });
});

test("removes the error of a radio group as soon as a radio button is clicked", async () => {
  const { user } = renderForm(<MessageForm id="feedback" />, "/api/feedback/submit");
  await user.click(screen.getByRole("button", { name: "Submit Feedback" }));
  const group = screen.getByRole("radiogroup", { name: "Feedback type" });
  await waitFor(() => expect(group).toBeInvalid());
  await user.click(screen.getByRole("radio", { name: "Other" }));
  await waitFor(() => expect(group).toBeValid());
});

test("sends no empty fields", async () => {
  const { user, sent } = renderForm(<MessageForm id="issue" />, "/api/issue/submit");
  const { entries } = forms[2]!;
  await fillIn(user, [...sender, ...entries.filter(([, name]) => !name.includes("optional"))]);
  await solveCaptcha(user);
  await user.click(screen.getByRole("button", { name: "Submit Report" }));
  await waitFor(() => expect(sent()).toHaveLength(1));
  expect(Object.values(sent()[0]?.body as object)).not.toContain("");
});

describe("the order reference of the issue form", () => {
  const receiptRoute = "GET /api/instagram/receipt";
  const reference = () => screen.getByRole("textbox", { name: "Order reference (optional)" });
  afterEach(() => window.history.replaceState(null, "", "/"));

  function show(hash: string, route: FakeRoute = { body: { success: true, order: receipt } }) {
    window.history.replaceState(null, "", `/report-issue${hash}`);
    const { callsOf } = renderForm(
      <MessageForm id="issue" />,
      "/api/issue/submit",
      {},
      { [receiptRoute]: route },
    );
    return () => callsOf(receiptRoute).length;
  }

  test("comes from the receipt if the visitor comes from there", async () => {
    show("#report");
    await waitFor(() => expect(reference()).toHaveValue(receipt.reference));
  });

  test("stays as typed", async () => {
    const requests = show("#report");
    fireEvent.input(reference(), { target: { value: "typed" } });
    await waitFor(() => expect(requests()).toBe(1));
    await act(() => Promise.resolve());
    expect(reference()).toHaveValue("typed");
  });

  test("is empty after the end of the flow, and for visitors who come from elsewhere", async () => {
    expect(show("")()).toBe(0);
    cleanup();
    const requests = show("#report", { status: 403, body: { code: "flow_required" } });
    await waitFor(() => expect(requests()).toBe(1));
    expect(reference()).toHaveValue("");
  });
});
