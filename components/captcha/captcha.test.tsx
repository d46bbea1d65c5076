import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Captcha } from "@/components/captcha/captcha";
import { installFakeApi, type FakeRoute } from "@/testing/jest/fake-api";

jest.mock("@/components/captcha/altcha-widget");

const siteKey = "GET /api/recaptcha/sitekey";
const onToken = jest.fn();

/** Renders the captcha. `reply` is the response to the request for the site key. */
function show(reply: FakeRoute, { active = true, secure = true } = {}) {
  Object.defineProperty(window, "isSecureContext", { value: secure, configurable: true });
  const api = installFakeApi({ [siteKey]: reply });
  render(<Captcha active={active} onToken={onToken} />);
  return { api, user: userEvent.setup() };
}

const keyOf = (provider: string) => ({ body: { sitekey: "key", provider } });
const findSolve = () => screen.findByRole("button", { name: "Solve the test captcha" });

test("loads the widget after a click on the placeholder, which is not in the tab order", async () => {
  const { api, user } = show(keyOf("altcha"), { active: false });
  await user.tab();
  expect(document.body).toHaveFocus();
  expect(screen.getByText("The human check loads when you use this form.")).toBeInTheDocument();
  expect(api.calls).toHaveLength(0);
  await user.click(screen.getByText("I'm not a robot"));
  expect(await findSolve()).toHaveFocus();
  await user.click(await findSolve());
  expect(onToken).toHaveBeenLastCalledWith("token-1");
});

test("loads again after a failure, and then focuses the widget", async () => {
  const { api, user } = show("offline");
  const retryButton = () => screen.findByRole("button", { name: "Load the check again" });
  // An open page may know a provider that the site no longer has.
  api.routes[siteKey] = keyOf("another");
  await user.click(await retryButton());
  api.routes[siteKey] = keyOf("altcha");
  await user.click(await retryButton());
  expect(await findSolve()).toHaveFocus();
  expect(screen.queryByRole("alert")).not.toBeInTheDocument();
  expect(api.callsOf(siteKey)).toHaveLength(3);
});

test("shows an error message for altcha on an insecure origin, but loads other providers there", async () => {
  show(keyOf("altcha"), { secure: false });
  expect(await screen.findByRole("alert")).toHaveTextContent("only on a secure address");
  expect(screen.queryByRole("button")).not.toBeInTheDocument();
  show(keyOf("recaptcha"), { secure: false });
  await waitFor(() => expect(document.querySelector("script[src*=recaptcha]")).not.toBeNull());
  expect(screen.getByRole("status")).toHaveTextContent("Loading verification...");
});

test("replaces a failed widget with an error message, and clears the token", async () => {
  const { user } = show(keyOf("altcha"));
  await user.click(await screen.findByRole("button", { name: "Break the test captcha" }));
  expect(screen.getByRole("alert")).toHaveTextContent("Unable to load verification.");
  expect(onToken).toHaveBeenLastCalledWith(null);
});
