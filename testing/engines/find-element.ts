import { readFileSync } from "node:fs";
import type * as Library from "@testing-library/dom";
import type { Target } from "./engine-page";

/** Source of the library that `findElement` needs in the page. */
export const librarySource = readFileSync(
  require.resolve("@testing-library/dom/dist/@testing-library/dom.umd.min.js"),
  "utf8",
);

/** Runs in the page. Returns the first visible element that matches. */
export function findElement(target: Target): HTMLElement | null {
  const { TestingLibraryDom } = window as unknown as { TestingLibraryDom: typeof Library };
  // Functions must have no name here: some compilers wrap named functions in a helper that the page does not have.
  const found =
    "role" in target
      ? TestingLibraryDom.queryAllByRole(document.body, target.role, {
          // The library's own visibility check takes seconds in Firefox.
          hidden: true,
          name: new RegExp((target.name ?? "").replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")),
        })
      : [...document.querySelectorAll<HTMLElement>(target.selector)].filter((element) =>
          element.innerText.trim().startsWith(target.text),
        );
  return (
    found.find((element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) ??
    null
  );
}

/** Runs in the page. */
export function hasLibrary(): boolean {
  return "TestingLibraryDom" in window;
}
