import { render, screen, within } from "@testing-library/react";
import { Header } from "@/components/site/header";
import { pages, type Page } from "@/lib/http/pages";

const renderOn = (page: Page | undefined) => render(<Header siteName="Boost50" page={page} />);

/** Returns two lists of texts: the current items of the main navigation and of the phone menu. */
function currentItemsOn(page: Page | undefined): string[][] {
  const { unmount } = renderOn(page);
  const items = ["Main", "Menu"].map((name) =>
    Array.from(
      screen.getByRole("navigation", { name }).querySelectorAll("[aria-current]"),
      ({ textContent }) => textContent,
    ),
  );
  unmount();
  return items;
}

it.each([
  [pages.home, ["Home"], ["Home"]],
  [pages.faq, ["FAQ"], ["FAQ"]],
  [pages.contact, ["Support", "Contact Us"], ["Contact Us"]],
  // The phone menu links to "/privacy", which is an alias of "/privacy-policy".
  [pages.privacy, [], ["Privacy Policy"]],
  [pages.getLikes, [], []],
  [undefined, [], []],
])("marks only the current page and its parent menu on %j", (page, wide, narrow) => {
  expect(currentItemsOn(page)).toEqual([wide, narrow]);
});

it("sets aria-current to page on the link, and to true on the submenu button", () => {
  renderOn(pages.support);
  const main = within(screen.getByRole("navigation", { name: "Main" }));
  expect(main.getByRole("button", { name: "Support" })).toHaveAttribute("aria-current", "true");
  expect(main.getByRole("link", { name: "Support Center", hidden: true })).toHaveAttribute(
    "aria-current",
    "page",
  );
});
