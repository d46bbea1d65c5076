import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { LinkForm } from "@/components/flow/home/link-form";
import { Toaster } from "@/components/ui/toast/toaster";
import { goTo } from "@/lib/client/browser/navigate";
import { installFakeApi, type FakeRoute } from "@/lib/client/api/test-fake-api";

jest.mock("@/lib/client/browser/navigate", () => ({ goTo: jest.fn() }));
jest.mock("@/lib/client/api/fingerprint", () => ({ getFingerprint: () => Promise.resolve("fp-1") }));
jest.mock("@/components/captcha/altcha-widget");

const link = "https://www.instagram.com/reel/DAbc123XyZ_/";
const verify = "POST /api/recaptcha/verify";

function show(verifyRoute: FakeRoute = { body: { success: true } }) {
  const api = installFakeApi({
    "GET /api/recaptcha/sitekey": { body: { sitekey: "key", provider: "altcha" } },
    [verify]: verifyRoute,
  });
  // First: it also puts a clipboard into the browser.
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

test("nothing of the check loads before the form is touched", async () => {
  const { api, user } = show();
  expect(screen.getByText("The human check loads when you use this form.")).toBeInTheDocument();
  expect(api.calls).toHaveLength(0);
  await user.click(field());
  expect(await screen.findByRole("button", { name: "Solve the test captcha" })).toBeVisible();
  expect(api.callsOf("GET /api/recaptcha/sitekey")).toHaveLength(1);
});

test.each([
  ["", "Must be a valid URL", null],
  ["hello", "Must be a valid URL", null],
  ["https://example.com/p/abc/", "Must be a valid Instagram post or reel URL", /leads to another site/],
  [
    "https://www.instagram.com/someone/",
    "Must be a valid Instagram post or reel URL",
    /looks like a profile/,
  ],
])("sending %p is refused: %s", async (text, message, hint) => {
  const { api, user } = show();
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

test("typing is never judged; leaving the field is, unless it is empty", async () => {
  const { user } = show();
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

test.each([{ success: true }, { success: true, bypass_mode: true }, { success: true, error_bypass: true }])(
  "an accepted token (%j) leads to step 2; a double press posts once",
  async (body) => {
    const { api, user } = show({ body });
    await user.type(field(), `Look at this! ${link}?igsh=abc`);
    await solve(user);
    await user.dblClick(button());
    await waitFor(() => expect(goTo).toHaveBeenCalledWith("/verification/"));
    expect(api.callsOf(verify)).toHaveLength(1);
    expect(api.callsOf(verify)[0]?.body).toEqual({
      token: "token-1",
      url: `Look at this! ${link}?igsh=abc`,
    });
    expect(api.callsOf(verify)[0]?.headers.get("x-visitor-fingerprint")).toBe("fp-1");
    expect(sessionStorage.getItem("flow.attempt")).toMatch(/^[0-9a-f-]{36}$/);
  },
);

test("a link that the server refuses is an error of the field", async () => {
  const body = { message: "Invalid input", fields: { url: "Must be a valid Instagram post or reel URL" } };
  const { user } = show({ status: 422, body });
  await user.type(field(), link);
  await solve(user);
  await user.click(button());
  expect(await screen.findByText("Must be a valid Instagram post or reel URL")).toBeVisible();
  expect(screen.getByText("Resets: 0")).toBeInTheDocument();
});

test.each<[string, FakeRoute]>([
  ["Not available now.", { status: 503, body: { message: "Not available now." } }],
  ["Wait a moment.", { status: 429, body: { message: "Wait a moment." } }],
  ["No answer came from the server. Check your connection and try again.", "offline"],
])(
  "another failure is a toast, and stays at the button (%s); a token that may be used goes",
  async (words, route) => {
    const { api, user } = show(route);
    await user.type(field(), link);
    await solve(user);
    await user.click(button());
    const toast = (await screen.findAllByRole("listitem"))[0]!;
    expect(toast).toHaveTextContent(`Error${words}`);
    expect(button()).toHaveAccessibleDescription(words);
    expect(screen.getByText("Resets: 1")).toBeInTheDocument();

    // The next try is not judged by the last one.
    api.routes[verify] = "silent";
    await solve(user);
    await user.click(button());
    expect(await screen.findByRole("button", { name: "Checking..." })).not.toHaveAccessibleDescription();
  },
);

describe("what the device's share menu brought", () => {
  const share = (text: string) => (document.cookie = `shared-text=${encodeURIComponent(text)}; Path=/`);

  test("is taken over once, and the form is in use", async () => {
    share(`Look: ${link}`);
    show();
    expect(field()).toHaveValue(`Look: ${link}`);
    expect(document.cookie).toBe("");
    expect(field()).toBeValid();
    await screen.findByRole("button", { name: "Solve the test captcha" });
  });

  test("is judged at once, since nobody is typing it", async () => {
    share("https://www.instagram.com/someone/");
    show();
    expect(screen.getByText(/looks like a profile/)).toBeVisible();
    await screen.findByRole("button", { name: "Solve the test captcha" });
  });

  test("was no text: the form says what to do instead", () => {
    share("");
    show();
    expect(field()).toHaveAccessibleDescription(/^No text came along/);
    expect(field()).toBeValid();
  });

  test("cannot be read: it is as if it was no text", () => {
    document.cookie = "shared-text=%E0%A4%A; Path=/";
    show();
    expect(field()).toHaveAccessibleDescription(/^No text came along/);
  });
});

describe("the button that pastes", () => {
  const press = (user: ReturnType<typeof userEvent.setup>) =>
    user.click(screen.getByRole("button", { name: "Paste" }));

  test("is not there where the browser cannot read the clipboard", () => {
    Object.defineProperty(navigator, "clipboard", { value: undefined, configurable: true });
    render(<LinkForm />);
    expect(field()).toBeVisible();
    expect(screen.queryByRole("button", { name: "Paste" })).not.toBeInTheDocument();
  });

  test("fills the field and goes on to the human check; it sends nothing", async () => {
    const { api, user } = show();
    await navigator.clipboard.writeText(`Look at this:\n${link}\n`);
    await press(user);
    expect(field()).toHaveValue(`Look at this: ${link}`);
    expect(await screen.findByRole("button", { name: "Solve the test captcha" })).toHaveFocus();
    expect(api.callsOf(verify)).toHaveLength(0);
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
  });

  test.each([
    ["a wrong text", () => Promise.resolve("hello"), "hello", /Must be a valid URL/],
    ["no text", () => Promise.resolve(""), "", /^No text came along/],
    ["a refusal", () => Promise.reject(new Error("denied")), "", /doesn't let us read the clipboard/],
  ])("with %s goes to the field, which says what to do", async (_, readText, value, words) => {
    const { user } = show();
    jest.spyOn(navigator.clipboard, "readText").mockImplementation(readText);
    await press(user);
    expect(field()).toHaveFocus();
    expect(field()).toHaveValue(value);
    expect(field()).toHaveAccessibleDescription(words);
    await screen.findByRole("button", { name: "Solve the test captcha" });
  });
});

test("a link in the address is taken over and leaves the address", async () => {
  window.history.replaceState(null, "", `/?text=${encodeURIComponent(`Look: ${link}`)}&keep=1`);
  show();
  expect(field()).toHaveValue(`Look: ${link}`);
  expect(window.location.search).toBe("?keep=1");
  // The form is in use: its check comes by itself.
  await screen.findByRole("button", { name: "Solve the test captcha" });
  window.history.replaceState(null, "", "/");
});
