import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { FeedbackForm } from "@/components/forms/feedback-form";
import { events, showForm, solveCaptcha, summary } from "@/components/forms/test-form";
import type { FakeRoute } from "@/lib/client/test-fake-api";

jest.mock("@/lib/client/fingerprint", () => ({ getFingerprint: () => Promise.resolve("fp-1") }));
jest.mock("@/components/captcha/altcha-widget", () => ({
  AltchaWidget: jest.requireActual<typeof import("@/components/captcha/test-widget")>(
    "@/components/captcha/test-widget",
  ).TestWidget,
}));

const show = (route?: FakeRoute) => showForm(<FeedbackForm />, "/api/feedback/submit", route);
const field = (name: string) => screen.getByRole("textbox", { name });
const choice = (name: string) => screen.getByRole("radio", { name });
const group = () => screen.getByRole("radiogroup", { name: "Feedback type" });
const button = () => screen.getByRole("button", { name: "Submit Feedback" });
type User = ReturnType<typeof show>["user"];

async function fillIn(user: User): Promise<void> {
  await user.type(field("Name"), "Ada Lovelace");
  await user.type(field("Email"), "ada@example.com");
  await user.click(choice("Feature"));
  await user.type(field("Message"), "Please add a countdown.");
}

test("an empty form is refused with every message, and the summary takes the focus and leads to the fields", async () => {
  const { user, sent } = show();
  await user.click(button());
  await waitFor(() => expect(summary()).toHaveFocus());
  const links = within(summary()!).getAllByRole("link");
  expect(links.map((link) => link.textContent)).toEqual([
    "Name must be at least 2 characters",
    "Please enter a valid email address",
    "Please select a feedback type",
    "Message must be at least 10 characters",
  ]);
  expect(group()).toBeInvalid();
  expect(group()).toHaveAccessibleDescription("Error: Please select a feedback type");
  await user.click(links[2]!);
  expect(choice("Suggestion")).toHaveFocus();
  await user.click(choice("Other"));
  await waitFor(() => expect(group()).toBeValid());
  expect(sent()).toHaveLength(0);
});

test("without a token the dialog opens, nothing is sent, and a warning is recorded", async () => {
  const { user, sent } = show();
  await fillIn(user);
  await user.click(button());
  expect(await screen.findByRole("dialog", { name: "Verification Required" })).toBeVisible();
  expect(sent()).toHaveLength(0);
  expect(window.dataLayer).toEqual([{ event: "feedback_form_missing_captcha", level: "warning" }]);
  await user.keyboard("{Escape}");
  expect(await screen.findByText("Resets: 1")).toBeInTheDocument();
});

test("kept feedback is confirmed, and form and check start anew", async () => {
  const { user, sent } = show();
  await fillIn(user);
  await solveCaptcha(user);
  await user.click(button());
  expect((await screen.findAllByText("Feedback submitted!"))[0]).toBeVisible();
  expect(screen.getAllByText("Thank you for helping us improve our service.")[0]).toBeVisible();
  expect(sent()[0]?.body).toEqual({
    name: "Ada Lovelace",
    email: "ada@example.com",
    feedbackType: "feature",
    message: "Please add a countdown.",
    token: "token-1",
  });
  for (const name of ["Name", "Email", "Message"]) expect(field(name)).toHaveValue("");
  expect(choice("Feature")).not.toBeChecked();
  expect(screen.getByText("Resets: 1")).toBeInTheDocument();
  expect(events()).toEqual([]);
});

test("two submits at once send once", async () => {
  const { user, sent } = show("silent");
  await fillIn(user);
  await solveCaptcha(user);
  fireEvent.submit(screen.getByRole("form"));
  fireEvent.submit(screen.getByRole("form"));
  await screen.findByRole("button", { name: "Submitting..." });
  expect(sent()).toHaveLength(1);
});

test("a lost answer is a failure: the data stays, and the next press goes on under the same key", async () => {
  const { user, sent, answerWith } = show("offline");
  await fillIn(user);
  await solveCaptcha(user);
  await user.click(button());
  const failure = "There was a problem submitting your feedback. Please try again.";
  expect((await screen.findAllByText(failure))[0]).toBeVisible();
  expect(field("Message")).toHaveValue("Please add a countdown.");
  expect(choice("Feature")).toBeChecked();
  answerWith({ body: { success: true } });
  await user.click(button());
  expect((await screen.findAllByText("Feedback submitted!"))[0]).toBeVisible();
  const keys = sent().map((call) => call.headers.get("Idempotency-Key"));
  expect(keys).toHaveLength(2);
  expect(keys[1]).toBe(keys[0]);
});
