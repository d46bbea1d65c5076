import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ReactElement } from "react";
import { installFakeApi, type FakeRoute } from "@/lib/client/test-fake-api";

/* For tests of the forms: what all of them do. */

type User = ReturnType<typeof userEvent.setup>;

/** Shows the form with a captcha that can be solved and a route that takes the data. */
export function showForm(form: ReactElement, path: string, route: FakeRoute = { body: { success: true } }) {
  Object.defineProperty(window, "isSecureContext", { value: true, configurable: true });
  window.dataLayer = [];
  const submitRoute = `POST ${path}`;
  const api = installFakeApi({
    "GET /api/recaptcha/sitekey": { body: { sitekey: "key", provider: "altcha" } },
    [submitRoute]: route,
  });
  render(form);
  return {
    user: userEvent.setup(),
    /** The calls that carried the data. */
    sent: () => api.callsOf(submitRoute),
    answerWith: (next: FakeRoute) => void (api.routes[submitRoute] = next),
  };
}

export async function solveCaptcha(user: User): Promise<void> {
  await user.click(await screen.findByRole("button", { name: "Solve the test captcha" }));
}

/** The names of the recorded analytics events. */
export function events(): unknown[] {
  return (window.dataLayer ?? []).map((entry) => (entry as { event?: string }).event);
}

/** The error summary; null when there is none. */
export function summary(): HTMLElement | null {
  return screen.queryByRole("group", { name: "There is a problem" });
}
