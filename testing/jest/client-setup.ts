import "@testing-library/jest-dom";
import { format } from "node:util";
import { twMerge } from "tailwind-merge";

/* jsdom has the dialog element, but not its methods. */
HTMLDialogElement.prototype.showModal = function showModal(this: HTMLDialogElement) {
  this.open = true;
  const closeOnEscape = ({ key }: KeyboardEvent) => key === "Escape" && this.close();
  document.addEventListener("keydown", closeOnEscape);
  const stopListening = () => document.removeEventListener("keydown", closeOnEscape);
  this.addEventListener("close", stopListening, { once: true });
};
HTMLDialogElement.prototype.close = function close(this: HTMLDialogElement) {
  if (!this.open) return;
  this.open = false;
  this.dispatchEvent(new Event("close"));
};

/* jsdom has neither secure contexts nor a layout. */
Object.defineProperty(window, "isSecureContext", { value: true, configurable: true });
globalThis.ResizeObserver = class {
  observe() {}
  unobserve() {}
  disconnect() {}
};
Element.prototype.scrollIntoView = () => {};

/*
 * React reports mistakes (a missing key, a state change outside act, markup that cannot hydrate) only through the console.
 * A test that expects such a report mocks the console: jest.spyOn(console, "error").
 */
const stray: string[] = [];

beforeEach(() => {
  stray.length = 0;
  for (const level of ["error", "warn"] as const) {
    console[level] = (...values: unknown[]) => {
      stray.push(`console.${level}: ${format(...values)}`);
    };
  }
});

afterEach(() => {
  if (stray.length > 0) throw new Error(`Stray console output:\n\n${stray.join("\n\n")}`);
});

/* If two classes set the same property, the style sheet decides which one applies. So no element may have both. */
afterEach(() => {
  for (const { classList } of document.querySelectorAll("[class]")) {
    const classes = [...classList];
    const kept = twMerge(classes).split(" ");
    const lost = classes.filter((name) => !kept.includes(name));
    if (lost.length > 0) throw new Error(`Conflicting classes: ${lost.join(", ")} in "${classes.join(" ")}"`);
  }
});
