import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ReactElement } from "react";
import { installFakeApi, type FakeRoute } from "@/lib/client/api/test-fake-api";

/* For tests of the forms: what all of them do. */

export type User = ReturnType<typeof userEvent.setup>;

/** What is done with a control: text or option for those that take one, a press on the others. */
export type Entry = [role: "textbox" | "combobox" | "radio" | "checkbox", name: string, value?: string];

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
    keys: () => api.callsOf(submitRoute).map(({ headers }) => headers.get("Idempotency-Key")),
    answerWith: (next: FakeRoute) => void (api.routes[submitRoute] = next),
  };
}

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

/** What the form holds, by the names of its fields. */
export function data(): Record<string, unknown> {
  return Object.fromEntries(new FormData(screen.getByRole<HTMLFormElement>("form")));
}

export async function solveCaptcha(user: User): Promise<void> {
  await user.click(await screen.findByRole("button", { name: "Solve the test captcha" }));
}

/** Waits for the words of a toast. */
export async function expectToast(...words: string[]): Promise<void> {
  for (const each of words) expect((await screen.findAllByText(each))[0]).toBeVisible();
}

/** The names of the recorded analytics events. */
export function events(): unknown[] {
  return (window.dataLayer ?? []).map((entry) => (entry as { event?: string }).event);
}

/** The error summary; null when there is none. */
export function summary(): HTMLElement | null {
  return screen.queryByRole("group", { name: "There is a problem" });
}
