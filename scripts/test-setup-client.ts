import "@testing-library/jest-dom";
import { format } from "node:util";
import { twMerge } from "tailwind-merge";

/*
 * React reports mistakes (a missing key, a state change outside act, markup that cannot hydrate) through the
 * console only, where nobody looks. A test that expects such a line says so: jest.spyOn(console, "error").
 */

/* jsdom has the dialog element, but not how it opens and closes. */
HTMLDialogElement.prototype.showModal = function showModal(this: HTMLDialogElement) {
  this.open = true;
  const closeOnEscape = ({ key }: KeyboardEvent) => key === "Escape" && this.close();
  document.addEventListener("keydown", closeOnEscape);
  this.addEventListener("close", () => document.removeEventListener("keydown", closeOnEscape), {
    once: true,
  });
};
HTMLDialogElement.prototype.close = function close(this: HTMLDialogElement) {
  if (!this.open) return;
  this.open = false;
  this.dispatchEvent(new Event("close"));
};

/* jsdom lays nothing out: nothing changes its size, or is out of sight. */
globalThis.ResizeObserver = class {
  observe() {}
  unobserve() {}
  disconnect() {}
};
Element.prototype.scrollIntoView = () => {};

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

/* Of two classes that set the same thing the style sheet's later one wins, which nobody who reads the component sees. */
afterEach(() => {
  for (const { classList } of document.querySelectorAll("[class]")) {
    const classes = [...classList];
    const kept = twMerge(classes).split(" ");
    const lost = classes.filter((name) => !kept.includes(name));
    if (lost.length > 0) {
      throw new Error(
        `Classes that others on the same element contradict: ${lost.join(", ")} in "${classes.join(" ")}"`,
      );
    }
  }
});
