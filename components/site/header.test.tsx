import { render, screen, within } from "@testing-library/react";
import { usePathname } from "next/navigation";
import { Header } from "@/components/site/header";

jest.mock("next/navigation");

function renderAt(path: string) {
  jest.mocked(usePathname).mockReturnValue(path);
  return render(<Header siteName="Boost50" />);
}

/** The words of what is marked as open, in the wide navigation and in the phone's. */
function markedAt(path: string): string[][] {
  const { unmount } = renderAt(path);
  const marked = ["Main", "Menu"].map((name) =>
    Array.from(
      screen.getByRole("navigation", { name }).querySelectorAll("[aria-current]"),
      ({ textContent }) => textContent,
    ),
  );
  unmount();
  return marked;
}

it.each([
  ["/", ["Home"], ["Home"]],
  ["/faq", ["FAQ"], ["FAQ"]],
  ["/faq/", ["FAQ"], ["FAQ"]],
  ["/contact", ["Support", "Contact Us"], ["Contact Us"]],
  // Linked by its short address, and made under the long one.
  ["/privacy-policy", [], ["Privacy Policy"]],
  ["/get-likes", [], []],
  ["/preview", [], []],
  ["/_not-found", [], []],
])("at %s the navigation marks that page, and what holds it, and nothing else", (path, wide, narrow) => {
  expect(markedAt(path)).toEqual([wide, narrow]);
});

it("an open page's link is its current page, the submenu that holds it is current", () => {
  renderAt("/support");
  const main = within(screen.getByRole("navigation", { name: "Main" }));
  expect(main.getByRole("button", { name: "Support" })).toHaveAttribute("aria-current", "true");
  expect(main.getByRole("link", { name: "Support Center", hidden: true })).toHaveAttribute(
    "aria-current",
    "page",
  );
});
