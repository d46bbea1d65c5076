import { replaceEntry } from "@/lib/client/browser/interfaces";

/** Islands whose scripts have not run. In development, islands have no scripts of their own. */
const waiting = "script ~ [data-island]:not([data-hydrated])";

/**
 * Repeats a press on a button of an island after the hydration. If the scripts of an island fail, shows a message, whose button
 * reloads the page and keeps the input. Before this script has run, app/globals.css shows a message.
 */
export function watchIslands(): void {
  let pressed: HTMLElement | null = null;
  restoreInput();
  let saving: ReturnType<typeof setTimeout>;
  const saveSoon = () => {
    clearTimeout(saving);
    saving = setTimeout(saveInput, 500);
  };
  // Browsers lose what a page stores at `pagehide` of a reload. A form resets its fields after it has sent them.
  for (const type of ["input", "reset"]) document.addEventListener(type, saveSoon);
  document.addEventListener("visibilitychange", saveInput);
  // A link to a part of the page makes a new entry without the input.
  for (const type of ["pagehide", "popstate"]) addEventListener(type, saveInput);
  const savePress = ({ target }: Event) =>
    (pressed = (target as Element).closest<HTMLElement>(`${waiting} button`) ?? pressed);
  document.addEventListener("click", savePress, true);
  // The visitor may not expect the effect of an earlier press any more.
  document.addEventListener("input", () => (pressed = null), true);
  document.addEventListener("hydrated", ({ target }) => {
    const button = pressed;
    pressed = null;
    if (button?.isConnected) button.click();
    // React has replaced the island. Only its submit button is surely the same.
    else if (button?.matches("[type=submit]"))
      (target as Element).querySelector<HTMLElement>("[type=submit]")?.click();
  });
  addEventListener("load", () => document.querySelectorAll(waiting).forEach(showMessage));
}

function showMessage(island: Element): void {
  const message = document.createElement("p");
  message.role = "alert";
  message.className = "fixed top-14 right-0 z-50 w-full border bg-card p-3";
  message.innerHTML = 'This page did not load completely. <button class="link">Reload</button>';
  message.lastElementChild?.addEventListener("click", reload);
  island.before(message);
}

const findFields = () => [...document.querySelectorAll<HTMLInputElement>("[data-island] [name]")];

/** Keeps the input in the entry of the browser history, for Back and reloads. Browsers do not keep every field. */
function saveInput(): void {
  replaceEntry("", { input: findFields().map(({ name, value, checked }) => ({ name, value, checked })) });
}

function reload(): void {
  saveInput();
  location.reload();
}

function restoreInput(): void {
  const { input } = (history.state ?? {}) as { input?: { name: string; value: string }[] };
  if (!input) return;
  for (const field of findFields()) {
    const saved = input.find(
      ({ name, value }) => name === field.name && (field.type !== "radio" || value === field.value),
    );
    Object.assign(field, saved);
  }
}
