import { render, screen } from "@testing-library/react";
import { DotGrid } from "@/components/ui/dot-grid";
import { dotGrid } from "@/lib/brand/dot-grid";

test.each([
  ["open", [dotGrid.openSize]],
  ["requested", [dotGrid.filledSize, dotGrid.holeSize]],
  ["accepted", [dotGrid.filledSize]],
] as const)("draws fifty dots that are %s", (state, sizes) => {
  const { container } = render(<DotGrid state={state} />);
  const paths = [...container.querySelectorAll("path")];
  expect(paths.map((path) => Number(path.getAttribute("stroke-width")))).toEqual(sizes);
  for (const path of paths) expect(path.getAttribute("d")?.split("h0")).toHaveLength(dotGrid.dots + 1);
});

test("is an image with a label, and hidden from screen readers without a label", () => {
  const { rerender } = render(<DotGrid state="open" label="50 likes, none requested yet" />);
  expect(screen.getByRole("img", { name: "50 likes, none requested yet" })).toBeInTheDocument();
  rerender(<DotGrid state="open" />);
  expect(screen.queryByRole("img")).not.toBeInTheDocument();
});
