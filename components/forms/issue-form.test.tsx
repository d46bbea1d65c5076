import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { IssueForm } from "@/components/forms/issue-form";
import { events, showForm, solveCaptcha, summary } from "@/components/forms/test-form";
import type { FakeRoute } from "@/lib/client/test-fake-api";

jest.mock("@/lib/client/fingerprint", () => ({ getFingerprint: () => Promise.resolve("fp-1") }));
jest.mock("@/components/captcha/altcha-widget", () => ({
  AltchaWidget: jest.requireActual<typeof import("@/components/captcha/test-widget")>(
    "@/components/captcha/test-widget",
  ).TestWidget,
}));

const show = (route?: FakeRoute) => showForm(<IssueForm />, "/api/issue/submit", route);
const field = (name: string) => screen.getByRole("textbox", { name });
const list = (name: string) => screen.getByRole("combobox", { name });
const always = () => screen.getByRole("checkbox", { name: "It happens every time I follow these steps" });
const button = () => screen.getByRole("button", { name: "Submit Report" });
const link = "Link of the affected post (optional)";
const steps = "Steps that lead to it (optional)";
type User = ReturnType<typeof show>["user"];

async function fillIn(user: User): Promise<void> {
  await user.type(field("Name"), "Ada Lovelace");
  await user.type(field("Email"), "ada@example.com");
  await user.selectOptions(list("Issue type"), "Likes not received");
  await user.selectOptions(list("Device"), "iPhone");
  await user.selectOptions(list("Browser"), "Safari");
  await user.type(field("What happened?"), "No likes after three hours.");
}

test("an empty form is refused with every message, and the summary takes the focus and leads to the fields", async () => {
  const { user, sent } = show();
  await user.click(button());
  await waitFor(() => expect(summary()).toHaveFocus());
  const links = within(summary()!).getAllByRole("link");
  expect(links.map((each) => each.textContent)).toEqual([
    "Name must be at least 2 characters",
    "Please enter a valid email address",
    "Please select an issue type",
    "Please select your device type",
    "Please select your browser",
    "Description must be at least 10 characters",
  ]);
  expect(field(link)).toBeValid();
  expect(field(steps)).toBeValid();
  await user.click(links[4]!);
  expect(list("Browser")).toHaveFocus();
  await user.click(links[5]!);
  expect(field("What happened?")).toHaveFocus();
  expect(field("What happened?")).toHaveAccessibleDescription(/Description must be at least 10 characters/);
  expect(sent()).toHaveLength(0);
});

test("without a token the dialog opens, nothing is sent, and a warning is recorded", async () => {
  const { user, sent } = show();
  await fillIn(user);
  await user.click(button());
  expect(await screen.findByRole("dialog", { name: "Verification Required" })).toBeVisible();
  expect(sent()).toHaveLength(0);
  expect(window.dataLayer).toEqual([{ event: "issue_form_missing_captcha", level: "warning" }]);
  await user.keyboard("{Escape}");
  expect(await screen.findByText("Resets: 1")).toBeInTheDocument();
});

test("a kept report is confirmed, and form and check start anew", async () => {
  const { user, sent } = show();
  await fillIn(user);
  await user.type(field(link), "https://www.instagram.com/p/abc/");
  await user.type(field(steps), "Wait.");
  await user.click(always());
  await solveCaptcha(user);
  await user.click(button());
  expect((await screen.findAllByText("Issue reported!"))[0]).toBeVisible();
  expect(
    screen.getAllByText("Thank you for reporting this issue. Our team will investigate it.")[0],
  ).toBeVisible();
  expect(sent()[0]?.body).toEqual({
    name: "Ada Lovelace",
    email: "ada@example.com",
    issueType: "likes",
    url: "https://www.instagram.com/p/abc/",
    device: "iphone",
    browser: "safari",
    description: "No likes after three hours.",
    steps: "Wait.",
    reproduceIssue: true,
    token: "token-1",
  });
  for (const name of ["Name", "Email", link, "What happened?", steps]) expect(field(name)).toHaveValue("");
  for (const name of ["Issue type", "Device", "Browser"]) expect(list(name)).toHaveValue("");
  expect(always()).not.toBeChecked();
  expect(screen.getByText("Resets: 1")).toBeInTheDocument();
  expect(events()).toEqual([]);
});

test("what is optional can stay empty; two submits at once send once", async () => {
  const { user, sent } = show("silent");
  await fillIn(user);
  await solveCaptcha(user);
  fireEvent.submit(screen.getByRole("form"));
  fireEvent.submit(screen.getByRole("form"));
  await screen.findByRole("button", { name: "Submitting..." });
  expect(sent()).toHaveLength(1);
  expect(sent()[0]?.body).toMatchObject({ url: "", steps: "", reproduceIssue: false });
});

test("a lost answer is a failure: the data stays, and the next press goes on under the same key", async () => {
  const { user, sent, answerWith } = show("offline");
  await fillIn(user);
  await user.click(always());
  await solveCaptcha(user);
  await user.click(button());
  const failure = "There was a problem submitting your report. Please try again.";
  expect((await screen.findAllByText(failure))[0]).toBeVisible();
  expect(field("What happened?")).toHaveValue("No likes after three hours.");
  expect(list("Device")).toHaveValue("iphone");
  expect(always()).toBeChecked();
  answerWith({ body: { success: true } });
  await user.click(button());
  expect((await screen.findAllByText("Issue reported!"))[0]).toBeVisible();
  const keys = sent().map((call) => call.headers.get("Idempotency-Key"));
  expect(keys).toHaveLength(2);
  expect(keys[1]).toBe(keys[0]);
});
