import { render, screen, within } from "@testing-library/react";
import { usePathname } from "next/navigation";
import { Header } from "@/components/site/header";

jest.mock("next/navigation");

function renderAt(path: string) {
  jest.mocked(usePathname).mockReturnValue(path);
  return render(<Header siteName="Boost50" />);
}

/** Returns two lists of texts: the current items of the main navigation and of the phone menu. */
function currentItemsAt(path: string): string[][] {
  const { unmount } = renderAt(path);
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
  ["/", ["Home"], ["Home"]],
  ["/faq", ["FAQ"], ["FAQ"]],
  ["/faq/", ["FAQ"], ["FAQ"]],
  ["/contact", ["Support", "Contact Us"], ["Contact Us"]],
  // The phone menu links to "/privacy", which is an alias of "/privacy-policy".
  ["/privacy-policy", [], ["Privacy Policy"]],
  ["/get-likes", [], []],
  ["/preview", [], []],
  ["/_not-found", [], []],
])("marks only the current page and its parent menu at %s", (path, wide, narrow) => {
  expect(currentItemsAt(path)).toEqual([wide, narrow]);
});

it("sets aria-current to page on the link, and to true on the submenu button", () => {
  renderAt("/support");
  const main = within(screen.getByRole("navigation", { name: "Main" }));
  expect(main.getByRole("button", { name: "Support" })).toHaveAttribute("aria-current", "true");
  expect(main.getByRole("link", { name: "Support Center", hidden: true })).toHaveAttribute(
    "aria-current",
    "page",
  );
});
