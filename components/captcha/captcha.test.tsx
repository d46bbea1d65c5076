import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Captcha } from "@/components/captcha/captcha";
import { installFakeApi } from "@/testing/jest/fake-api";

jest.mock("@/components/captcha/altcha-widget");

const siteKey = "GET /api/recaptcha/sitekey";

beforeEach(() => {
  Object.defineProperty(window, "isSecureContext", { value: true, configurable: true });
});

test("loads the widget after a click on the placeholder", async () => {
  installFakeApi({ [siteKey]: { body: { sitekey: "key", provider: "altcha" } } });
  const onToken = jest.fn();
  render(<Captcha active={false} onToken={onToken} />);
  const user = userEvent.setup();
  await user.click(screen.getByText("I'm not a robot"));
  const solve = await screen.findByRole("button", { name: "Solve the test captcha" });
  expect(solve).toHaveFocus();
  await user.click(solve);
  expect(onToken).toHaveBeenLastCalledWith("token-1");
});

test("excludes the placeholder from the tab order, and describes it to screen readers", async () => {
  const api = installFakeApi({});
  render(<Captcha active={false} onToken={() => {}} />);
  await userEvent.tab();
  expect(document.body).toHaveFocus();
  expect(screen.queryByRole("checkbox")).not.toBeInTheDocument();
  expect(screen.getByText("The human check loads when you use this form.")).toBeInTheDocument();
  expect(api.calls).toHaveLength(0);
});

test("announces that it is loading", () => {
  installFakeApi({ [siteKey]: "silent" });
  render(<Captcha active onToken={() => {}} />);
  expect(screen.getByRole("status")).toHaveTextContent("Loading verification...");
});

test.each([
  ["the site key is not available", { status: 503, body: {} }],
  ["there is no widget for the provider", { body: { sitekey: "key", provider: "unheard-of" } }],
])("shows an error message when %s", async (_case, reply) => {
  installFakeApi({ [siteKey]: reply });
  render(<Captcha active onToken={() => {}} />);
  expect(await screen.findByRole("alert")).toHaveTextContent(
    "Unable to load verification. Please refresh the page.",
  );
});

test("loads again after a failure, and then focuses the widget", async () => {
  const api = installFakeApi({ [siteKey]: "offline" });
  render(<Captcha active onToken={() => {}} />);
  const user = userEvent.setup();
  const retryButton = () => screen.findByRole("button", { name: "Load the check again" });
  await user.click(await retryButton());
  api.routes[siteKey] = { body: { sitekey: "key", provider: "altcha" } };
  await user.click(await retryButton());
  expect(await screen.findByRole("button", { name: "Solve the test captcha" })).toHaveFocus();
  expect(screen.queryByRole("alert")).not.toBeInTheDocument();
  expect(api.callsOf(siteKey)).toHaveLength(3);
});

describe("on an insecure origin", () => {
  beforeEach(() => {
    Object.defineProperty(window, "isSecureContext", { value: false, configurable: true });
  });

  test("shows an error message for altcha", async () => {
    installFakeApi({ [siteKey]: { body: { sitekey: "key", provider: "altcha" } } });
    render(<Captcha active onToken={() => {}} />);
    expect(await screen.findByRole("alert")).toHaveTextContent("only on a secure address");
    expect(screen.queryByRole("button")).not.toBeInTheDocument();
  });

  test("loads the other providers", async () => {
    installFakeApi({ [siteKey]: { body: { sitekey: "key", provider: "recaptcha" } } });
    render(<Captcha active onToken={() => {}} />);
    await waitFor(() => expect(document.querySelector("script[src*=recaptcha]")).not.toBeNull());
    expect(screen.getByRole("status")).toHaveTextContent("Loading verification...");
  });
});

test("replaces a failed widget with an error message, and clears the token", async () => {
  installFakeApi({ [siteKey]: { body: { sitekey: "key", provider: "altcha" } } });
  const onToken = jest.fn();
  render(<Captcha active onToken={onToken} />);
  const user = userEvent.setup();
  await user.click(await screen.findByRole("button", { name: "Break the test captcha" }));
  expect(screen.getByRole("alert")).toHaveTextContent("Unable to load verification.");
  expect(onToken).toHaveBeenLastCalledWith(null);
});
