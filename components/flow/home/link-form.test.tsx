import { act, render, screen, waitFor } from "@testing-library/react";
import userEvent, { type UserEvent } from "@testing-library/user-event";
import { LinkForm } from "@/components/flow/home/link-form";
import { goTo } from "@/lib/client/browser/navigate";
import { installFakeApi, type FakeRoute } from "@/testing/jest/fake-api";

/* e2e/pages/screens has the texts, e2e/flow/flow.browser.test.ts shares and pastes links in a browser. */

jest.mock("@/lib/client/browser/navigate", () => ({ goTo: jest.fn() }));
jest.mock("@/lib/client/api/fingerprint", () => ({ getFingerprint: () => Promise.resolve("fp-1") }));
jest.mock("@/components/captcha/altcha-widget");

const link = "https://www.instagram.com/reel/DAbc123XyZ_/";
const verify = "POST /api/recaptcha/verify";
const notAPost = "Must be a valid Instagram post or reel URL";

function renderForm(verifyRoute: FakeRoute = { body: { success: true } }) {
  const api = installFakeApi({
    "GET /api/recaptcha/sitekey": { body: { sitekey: "key", provider: "altcha" } },
    [verify]: verifyRoute,
  });
  // Installs a clipboard, without which there is no button "Paste".
  const user = userEvent.setup();
  render(<LinkForm questions={[]} />);
  return { api, user };
}

const field = () => screen.getByRole("textbox", { name: "Link of your Instagram post or reel" });
const button = () => screen.getByRole("button", { name: "Continue to Next Step" });
const findCaptcha = () => screen.findByRole("button", { name: "Solve the test captcha" });

/** Sends a link after the captcha. */
async function send(user: UserEvent, text = link, press: "click" | "dblClick" = "click") {
  await user.type(field(), text);
  await user.click(await findCaptcha());
  await user[press](button());
}

beforeEach(() => {
  sessionStorage.clear();
  jest.mocked(goTo).mockClear();
});

it("loads the captcha when the visitor uses the form, and focuses an invalid field on submit", async () => {
  const { api, user } = renderForm();
  expect(screen.getByText("I'm not a robot")).toBeInTheDocument();
  expect(api.calls).toHaveLength(0);
  await user.click(button());
  expect(field()).toBeInvalid();
  expect(field()).toHaveFocus();
  await findCaptcha();
  expect(api.calls.map(({ route }) => route)).toEqual(["GET /api/recaptcha/sitekey"]);
  expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
});

it("validates a filled field when the field loses focus, and never while the visitor types", async () => {
  const { user } = renderForm();
  await user.click(field());
  await user.tab();
  expect(screen.getByRole("button", { name: "Paste" })).toHaveFocus();
  expect(field()).toBeValid();
  await user.type(field(), "https://www.instagram.com/someone");
  expect(field()).toBeValid();
  await user.tab();
  expect(await screen.findByText(notAPost)).toBeVisible();
  await user.type(field(), "/p/DAbc123XyZ_/");
  expect(screen.getByText(notAPost)).toBeVisible();
  await user.tab();
  await waitFor(() => expect(field()).toBeValid());
});

it("does not validate a field that the visitor has left and entered again", async () => {
  const { user } = renderForm();
  await user.click(field());
  await act(async () => {
    field().blur();
    field().focus();
    (field() as HTMLInputElement).value = "https://";
    await new Promise((resolve) => setTimeout(resolve, 10));
  });
  expect(field()).toBeValid();
});

it.each([{ success: true }, { success: true, bypass_mode: true }, { success: true, error_bypass: true }])(
  "opens step 2 after the reply %j and posts only the link, once on a double click",
  async (body) => {
    const { api, user } = renderForm({ body });
    await send(user, `Look at this! ${link}?igsh=abc`, "dblClick");
    await waitFor(() => expect(goTo).toHaveBeenCalledWith("/verification/"));
    expect(api.callsOf(verify)).toHaveLength(1);
    expect(api.callsOf(verify)[0]?.body).toEqual({ token: "token-1", url: link });
    expect(api.callsOf(verify)[0]?.headers.get("x-visitor-fingerprint")).toBe("fp-1");
    expect(sessionStorage.getItem("flow.attempt")).toMatch(/^[0-9a-f-]{36}$/);
  },
);

it.each([
  ["before", (solve: HTMLElement) => [button(), solve]],
  ["right after", (solve: HTMLElement) => [solve, button()]],
])(
  "starts the captcha with a valid link, and sends if the button is pressed %s its end",
  async (_, presses) => {
    const { api, user } = renderForm();
    await user.type(field(), "https://www.instagram.com/someone");
    const solve = await findCaptcha();
    expect(screen.getByText("Started: false")).toBeInTheDocument();
    await user.type(field(), "/p/DAbc123XyZ_/");
    expect(screen.getByText("Started: true")).toBeInTheDocument();
    // React renders after both presses.
    await act(async () => presses(solve).forEach((pressed) => pressed.click()));
    await waitFor(() => expect(goTo).toHaveBeenCalledWith("/verification/"));
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
    expect(api.callsOf(verify)).toHaveLength(1);
  },
);

it("opens the dialog if the check fails for which the visitor waits", async () => {
  const { api, user } = renderForm();
  await user.type(field(), link);
  await findCaptcha();
  await user.click(button());
  expect(screen.getByRole("button", { name: "Checking..." })).toBeInTheDocument();
  await user.click(screen.getByRole("button", { name: "Fail the test captcha" }));
  expect(await screen.findByRole("dialog")).toBeVisible();
  expect(api.callsOf(verify)).toHaveLength(0);
});

it.each<[FakeRoute, description: string | RegExp, resets: number]>([
  [{ status: 422, body: { message: "Invalid input", fields: { url: notAPost } } }, /^Error: ?Must be a/, 0],
  [{ status: 429, body: { message: "Wait a moment." } }, "Wait a moment.", 1],
])(
  "after %j, describes the field or the button until the next request: %s",
  async (reply, description, resets) => {
    const { api, user } = renderForm(reply);
    await send(user);
    await waitFor(() => expect(resets === 0 ? field() : button()).toHaveAccessibleDescription(description));
    expect(screen.getByText(`Resets: ${resets}`)).toBeInTheDocument();

    api.routes[verify] = "silent";
    if (resets > 0) await user.click(await findCaptcha());
    await user.click(button());
    expect(await screen.findByRole("button", { name: "Checking..." })).not.toHaveAccessibleDescription();
    expect(field()).toBeValid();
  },
);

it.each([
  ["https://www.instagram.com/someone/", /looks like a profile/],
  ["", /^No text came along/],
  ["%E0%A4%A", /^No text came along/],
])("gives advice about %j from the share menu without a submit", async (text, advice) => {
  document.cookie = `shared-text=${text}; Path=/`;
  renderForm();
  expect(field()).toHaveAccessibleDescription(advice);
  expect(document.cookie).toBe("");
  if (text.startsWith("https")) await findCaptcha();
  else expect(field()).toBeValid();
});

it("fills the field with the clipboard's text and focuses the captcha, without sending the form", async () => {
  const { api, user } = renderForm();
  await navigator.clipboard.writeText(`Look at this:\n${link}\n`);
  await user.click(screen.getByRole("button", { name: "Paste" }));
  expect(field()).toHaveValue("instagram.com/reel/DAbc123XyZ_/");
  expect(await findCaptcha()).toHaveFocus();
  expect(api.callsOf(verify)).toHaveLength(0);
});

it.each([
  ["an invalid link", () => Promise.resolve("hello"), "hello", /Must be a valid URL/],
  ["an empty clipboard", () => Promise.resolve(""), "", /^No text came along/],
  ["a denied permission", () => Promise.reject(new Error()), "", /doesn't let us read the clipboard/],
])("focuses the field and gives advice about %s", async (_, readText, value, advice) => {
  const { user } = renderForm();
  jest.spyOn(navigator.clipboard, "readText").mockImplementation(readText);
  await user.click(screen.getByRole("button", { name: "Paste" }));
  expect(field()).toHaveFocus();
  expect(field()).toHaveValue(value);
  expect(field()).toHaveAccessibleDescription(advice);
  await findCaptcha();
});

it("moves a link from the query string into the field, and loads the captcha", async () => {
  window.history.replaceState(null, "", `/?text=${encodeURIComponent(`Look: ${link}`)}&keep=1`);
  renderForm();
  // A long text would hide the code of the post on a phone.
  expect(field()).toHaveValue("instagram.com/reel/DAbc123XyZ_/");
  expect(window.location.search).toBe("?keep=1");
  await findCaptcha();
  window.history.replaceState(null, "", "/");
});
