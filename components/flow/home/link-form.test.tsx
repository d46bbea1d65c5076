import { act, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { LinkForm } from "@/components/flow/home/link-form";
import { Toaster } from "@/components/ui/toast/toaster";
import { goTo } from "@/lib/client/browser/navigate";
import { installFakeApi, type FakeRoute } from "@/testing/jest/fake-api";

jest.mock("@/lib/client/browser/navigate", () => ({ goTo: jest.fn() }));
jest.mock("@/lib/client/api/fingerprint", () => ({ getFingerprint: () => Promise.resolve("fp-1") }));
jest.mock("@/components/captcha/altcha-widget");

const link = "https://www.instagram.com/reel/DAbc123XyZ_/";
const verify = "POST /api/recaptcha/verify";

function renderForm(verifyRoute: FakeRoute = { body: { success: true } }) {
  const api = installFakeApi({
    "GET /api/recaptcha/sitekey": { body: { sitekey: "key", provider: "altcha" } },
    [verify]: verifyRoute,
  });
  // userEvent.setup() installs a fake clipboard. PasteButton renders nothing if there is no clipboard.
  const user = userEvent.setup();
  render(
    <>
      <LinkForm />
      <Toaster />
    </>,
  );
  return { api, user };
}

const field = () => screen.getByRole("textbox", { name: "Link of your Instagram post or reel" });
const button = () => screen.getByRole("button", { name: "Continue to Next Step" });
const solve = async (user: ReturnType<typeof userEvent.setup>) =>
  user.click(await screen.findByRole("button", { name: "Solve the test captcha" }));

beforeEach(() => {
  Object.defineProperty(window, "isSecureContext", { value: true, configurable: true });
  sessionStorage.clear();
  jest.mocked(goTo).mockClear();
});

it("loads no captcha before the visitor uses the form", async () => {
  const { api, user } = renderForm();
  expect(screen.getByText("The human check loads when you use this form.")).toBeInTheDocument();
  expect(api.calls).toHaveLength(0);
  await user.click(field());
  expect(await screen.findByRole("button", { name: "Solve the test captcha" })).toBeVisible();
  expect(api.callsOf("GET /api/recaptcha/sitekey")).toHaveLength(1);
});

it.each([
  ["", "Must be a valid URL", null],
  ["hello", "Must be a valid URL", null],
  ["https://example.com/p/abc/", "Must be a valid Instagram post or reel URL", /leads to another site/],
  ["https://instagram.com/someone/", "Must be a valid Instagram post or reel URL", /looks like a profile/],
])("rejects the link %p on submit: %s", async (text, message, hint) => {
  const { api, user } = renderForm();
  await user.click(field());
  if (text) await user.type(field(), text);
  await user.click(button());
  expect(await screen.findByText(message)).toBeVisible();
  if (hint) expect(screen.getByText(hint)).toBeVisible();
  expect(field()).toBeInvalid();
  expect(field()).toHaveFocus();
  expect(api.callsOf(verify)).toHaveLength(0);
  expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
});

it("validates a filled field when the field loses focus, and never while the visitor types", async () => {
  const { user } = renderForm();
  await user.click(field());
  await user.tab();
  expect(field()).toBeValid();

  await user.type(field(), "https://www.instagram.com/someone");
  expect(field()).toBeValid();
  await user.tab();
  expect(await screen.findByText("Must be a valid Instagram post or reel URL")).toBeVisible();

  await user.type(field(), "/p/DAbc123XyZ_/");
  expect(screen.getByText("Must be a valid Instagram post or reel URL")).toBeVisible();
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
    await user.type(field(), `Look at this! ${link}?igsh=abc`);
    await solve(user);
    await user.dblClick(button());
    await waitFor(() => expect(goTo).toHaveBeenCalledWith("/verification/"));
    expect(api.callsOf(verify)).toHaveLength(1);
    expect(api.callsOf(verify)[0]?.body).toEqual({ token: "token-1", url: link });
    expect(api.callsOf(verify)[0]?.headers.get("x-visitor-fingerprint")).toBe("fp-1");
    expect(sessionStorage.getItem("flow.attempt")).toMatch(/^[0-9a-f-]{36}$/);
  },
);

it("shows a link that the server rejects as an error of the field", async () => {
  const body = { message: "Invalid input", fields: { url: "Must be a valid Instagram post or reel URL" } };
  const { user } = renderForm({ status: 422, body });
  await user.type(field(), link);
  await solve(user);
  await user.click(button());
  expect(await screen.findByText("Must be a valid Instagram post or reel URL")).toBeVisible();
  expect(screen.getByText("Resets: 0")).toBeInTheDocument();
});

it.each<[string, FakeRoute]>([
  ["Not available now.", { status: 503, body: { message: "Not available now." } }],
  ["Wait a moment.", { status: 429, body: { message: "Wait a moment." } }],
  ["No answer came from the server. Check your connection and try again.", "offline"],
])(
  "shows a failed request in a toast and at the button, and resets the captcha (%s)",
  async (message, route) => {
    const { api, user } = renderForm(route);
    await user.type(field(), link);
    await solve(user);
    await user.click(button());
    const toast = (await screen.findAllByRole("listitem"))[0]!;
    expect(toast).toHaveTextContent(`Error${message}`);
    expect(button()).toHaveAccessibleDescription(message);
    expect(screen.getByText("Resets: 1")).toBeInTheDocument();

    api.routes[verify] = "silent";
    await solve(user);
    await user.click(button());
    expect(await screen.findByRole("button", { name: "Checking..." })).not.toHaveAccessibleDescription();
  },
);

describe("text from the share menu", () => {
  const share = (text: string) => (document.cookie = `shared-text=${encodeURIComponent(text)}; Path=/`);

  it("fills the field once and loads the captcha", async () => {
    share(`Look: ${link}`);
    renderForm();
    expect(field()).toHaveValue(`Look: ${link}`);
    expect(document.cookie).toBe("");
    expect(field()).toBeValid();
    await screen.findByRole("button", { name: "Solve the test captcha" });
  });

  it("is validated without a submit", async () => {
    share("https://www.instagram.com/someone/");
    renderForm();
    expect(screen.getByText(/looks like a profile/)).toBeVisible();
    await screen.findByRole("button", { name: "Solve the test captcha" });
  });

  it.each(["", "%E0%A4%A"])("shows advice for an empty or malformed cookie (%j)", (value) => {
    document.cookie = `shared-text=${value}; Path=/`;
    renderForm();
    expect(field()).toHaveAccessibleDescription(/^No text came along/);
    expect(field()).toBeValid();
  });
});

describe("PasteButton", () => {
  const press = (user: ReturnType<typeof userEvent.setup>) =>
    user.click(screen.getByRole("button", { name: "Paste" }));

  it("renders nothing where the browser cannot read the clipboard", () => {
    Object.defineProperty(navigator, "clipboard", { value: undefined, configurable: true });
    render(<LinkForm />);
    expect(field()).toBeVisible();
    expect(screen.queryByRole("button", { name: "Paste" })).not.toBeInTheDocument();
  });

  it("fills the field and focuses the captcha without sending the form", async () => {
    const { api, user } = renderForm();
    await navigator.clipboard.writeText(`Look at this:\n${link}\n`);
    await press(user);
    expect(field()).toHaveValue(`Look at this: ${link}`);
    expect(await screen.findByRole("button", { name: "Solve the test captcha" })).toHaveFocus();
    expect(api.callsOf(verify)).toHaveLength(0);
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
  });

  it.each([
    ["an invalid link", () => Promise.resolve("hello"), "hello", /Must be a valid URL/],
    ["an empty clipboard", () => Promise.resolve(""), "", /^No text came along/],
    ["a denied permission", () => Promise.reject(new Error()), "", /doesn't let us read the clipboard/],
  ])("with %s, focuses the field and shows advice", async (_, readText, value, advice) => {
    const { user } = renderForm();
    jest.spyOn(navigator.clipboard, "readText").mockImplementation(readText);
    await press(user);
    expect(field()).toHaveFocus();
    expect(field()).toHaveValue(value);
    expect(field()).toHaveAccessibleDescription(advice);
    await screen.findByRole("button", { name: "Solve the test captcha" });
  });
});

it("moves a link from the query string into the field", async () => {
  window.history.replaceState(null, "", `/?text=${encodeURIComponent(`Look: ${link}`)}&keep=1`);
  renderForm();
  expect(field()).toHaveValue(`Look: ${link}`);
  expect(window.location.search).toBe("?keep=1");
  // The captcha loads without a click, because the field contains text.
  await screen.findByRole("button", { name: "Solve the test captcha" });
  window.history.replaceState(null, "", "/");
});
