import { render, screen } from "@testing-library/react";
import { DotGrid } from "@/components/ui/dot-grid";

function countDots(picture: Element): { large: number; small: number } {
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
])("draws each of the fifty dots once when %d are filled", (filled, dots) => {
  const { container } = render(<DotGrid filled={filled} />);
  expect(countDots(container)).toEqual(dots);
});

test("is an image with a label, and hidden from screen readers without a label", () => {
  const { rerender } = render(<DotGrid filled={50} label="All 50 likes requested" />);
  expect(screen.getByRole("img", { name: "All 50 likes requested" })).toBeInTheDocument();
  rerender(<DotGrid filled={50} />);
  expect(screen.queryByRole("img")).not.toBeInTheDocument();
});
