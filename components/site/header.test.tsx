import { render, screen } from "@testing-library/react";
import { Header } from "@/components/site/header";
import { pages } from "@/lib/http/pages";

it.each([
  [pages.home, ["Home: page"], ["Home: page"]],
  [pages.faq, ["FAQ: page"], ["FAQ: page"]],
  [pages.contact, ["Support: true", "Contact Us: page"], ["Contact Us: page"]],
  // The phone menu links to "/privacy", which is an alias of "/privacy-policy".
  [pages.privacy, [], ["Privacy Policy: page"]],
  [pages.getLikes, [], []],
  [undefined, [], []],
])("marks only the current page and its parent menu on %j", (page, wide, narrow) => {
  render(<Header siteName="Boost50" page={page} />);
  const items = ["Main", "Menu"].map((name) =>
    Array.from(
      screen.getByRole("navigation", { name }).querySelectorAll("[aria-current]"),
      (item) => `${item.textContent}: ${item.getAttribute("aria-current")}`,
    ),
  );
  expect(items).toEqual([wide, narrow]);
});
