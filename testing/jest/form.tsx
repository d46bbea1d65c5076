import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ReactElement } from "react";
import { installFakeApi, type FakeRoute } from "./fake-api";

export type User = ReturnType<typeof userEvent.setup>;

/** Form control and its new value. Radio buttons and checkboxes need no value, only a click. */
export type Entry = [role: "textbox" | "combobox" | "radio" | "checkbox", name: string, value?: string];

/**
 * Renders a form with a fake API. The fake API records requests to `path` and responds with `route`. `more` has the
 * responses of other routes.
 */
export function renderForm(
  form: ReactElement,
  path: string,
  route: FakeRoute = { body: { success: true } },
  more: Record<string, FakeRoute> = {},
) {
  Object.defineProperty(window, "isSecureContext", { value: true, configurable: true });
  window.dataLayer = [];
  const submitRoute = `POST ${path}`;
  const api = installFakeApi({
    "GET /api/recaptcha/sitekey": { body: { sitekey: "key", provider: "altcha" } },
    [submitRoute]: route,
    ...more,
  });
  render(form);
  return {
    user: userEvent.setup(),
    callsOf: api.callsOf,
    sent: () => api.callsOf(submitRoute),
    keys: () => api.callsOf(submitRoute).map(({ headers }) => headers.get("Idempotency-Key")),
    respondWith: (next: FakeRoute) => void (api.routes[submitRoute] = next),
  };
}

/** Enters the values into the form controls, as a visitor does. */
export async function fillIn(user: User, entries: readonly Entry[]): Promise<void> {
  for (const [role, name, value = ""] of entries) {
    const control = screen.getByRole(role, { name });
    if (role === "combobox") await user.selectOptions(control, value);
    else if (role !== "textbox") await user.click(control);
    else {
      await user.clear(control);
      await user.paste(value);
    }
  }
}

/** Returns the current form values. The keys are the field names. */
export function formValues(): Record<string, unknown> {
  return Object.fromEntries(new FormData(screen.getByRole<HTMLFormElement>("form")));
}

/** Clicks the button of the mock captcha, which then returns a token. */
export async function solveCaptcha(user: User): Promise<void> {
  await user.click(await screen.findByRole("button", { name: "Solve the test captcha" }));
}

/** Waits until each of the texts is visible, for example title and description of a toast. */
export async function expectToast(...texts: string[]): Promise<void> {
  for (const text of texts) expect((await screen.findAllByText(text))[0]).toBeVisible();
}

/** Returns the names of the analytics events that the page has sent so far. */
export function recordedEvents(): unknown[] {
  return (window.dataLayer ?? []).map((entry) => (entry as { event?: string }).event);
}

/** Returns the error summary, or null if the form shows none. */
export function findErrorSummary(): HTMLElement | null {
  return screen.queryByRole("group", { name: "There is a problem" });
}
