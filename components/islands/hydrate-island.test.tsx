import { screen } from "@testing-library/react";
import { hydrateIsland } from "@/components/islands/hydrate-island";
import { errorPages } from "@/lib/content/site";

/* Browser tests hydrate all islands: e2e/pages/buttons.browser.test.ts presses each button of each page. */

it("shows the error page and reports the error when a component fails to render", async () => {
  const reported = jest.fn();
  const failure = new Error("broken");
  function Broken(): never {
    throw failure;
  }
  // Hydrates without act(), because act() would throw the rendering error inside the test.
  Object.assign(globalThis, { reportError: reported, IS_REACT_ACT_ENVIRONMENT: false });
  document.body.innerHTML = '<main>Text<div data-island="tests/broken"></div></main>';
  hydrateIsland("tests/broken", Broken);
  expect(await screen.findByRole("heading", { level: 1 })).toHaveTextContent(errorPages.failure.title);
  expect(document.body).not.toHaveTextContent("Text");
  expect(reported).toHaveBeenCalledWith(failure);
});
