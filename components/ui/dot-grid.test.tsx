import { render, screen } from "@testing-library/react";
import { DotGrid } from "@/components/ui/dot-grid";
import { dotGrid } from "@/lib/brand/dot-grid";
import { limits } from "@/lib/config/limits";

test.each([
  ["open", [dotGrid.openSize, 0]],
  ["requested", [dotGrid.filledSize, dotGrid.holeSize]],
  ["accepted", [dotGrid.filledSize, 0]],
] as const)("draws one dot for each like, and names the state %s", (state, sizes) => {
  render(<DotGrid dots={{ state, caption: "What the dots show" }} />);
  const paths = [...screen.getByRole("img", { name: "What the dots show" }).querySelectorAll("path")];
  expect(paths.map((path) => Number(path.getAttribute("stroke-width")))).toEqual(sizes);
  for (const path of paths)
    expect(path.getAttribute("d")?.split("h0")).toHaveLength(limits.likesPerRequest + 1);
});
