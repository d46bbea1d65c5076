import { render, screen } from "@testing-library/react";
import { DotGrid } from "@/components/ui/dot-grid";

/** How many dots are large and how many small. */
function drawn(picture: Element): { large: number; small: number } {
  const dots = { large: 0, small: 0 };
  for (const path of picture.querySelectorAll("path")) {
    const count = (path.getAttribute("d") ?? "").split("h0").length - 1;
    dots[Number(path.getAttribute("stroke-width")) > 5 ? "large" : "small"] += count;
  }
  return dots;
}

test.each([
  [0, { large: 0, small: 50 }],
  [1, { large: 1, small: 49 }],
  [25, { large: 25, small: 25 }],
  [49, { large: 49, small: 1 }],
  [50, { large: 50, small: 0 }],
])("with %d filled, all fifty are drawn once", (filled, dots) => {
  const { container } = render(<DotGrid filled={filled} />);
  expect(drawn(container)).toEqual(dots);
});

test("is a picture with words where it has some, and nothing to a screen reader where it has none", () => {
  const { rerender } = render(<DotGrid filled={50} label="All 50 likes requested" />);
  expect(screen.getByRole("img", { name: "All 50 likes requested" })).toBeInTheDocument();
  rerender(<DotGrid filled={50} />);
  expect(screen.queryByRole("img")).not.toBeInTheDocument();
});
