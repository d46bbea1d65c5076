import { readFileSync } from "node:fs";
import type * as Library from "@testing-library/dom";
import type { Target } from "./engine-page";

/** Finds elements by role and name, the same way in every engine; it has to run in the page before `lookUp`. */
export const lookUpLibrary = readFileSync(
  require.resolve("@testing-library/dom/dist/@testing-library/dom.umd.min.js"),
  "utf8",
);

/** In the page: the first element that is the target and can be seen. */
export function lookUp(target: Target): HTMLElement | null {
  const { TestingLibraryDom } = window as unknown as { TestingLibraryDom: typeof Library };
  // No function with a name of its own: some compilers wrap it in a helper that the page does not have.
  const found =
    "role" in target
      ? TestingLibraryDom.queryAllByRole(document.body, target.role, {
          // What can be seen is asked once, below: asked for every candidate, it takes Firefox seconds.
          hidden: true,
          name: new RegExp((target.name ?? "").replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")),
        })
      : [...document.querySelectorAll<HTMLElement>(target.selector)].filter(
          (element) => element.innerText.trim() === target.text,
        );
  return (
    found.find((element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) ??
    null
  );
}

/** In the page: whether the library is there. */
export function hasLibrary(): boolean {
  return "TestingLibraryDom" in window;
}
