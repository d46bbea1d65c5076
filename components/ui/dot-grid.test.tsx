import { render, screen } from "@testing-library/react";
import { DotGrid } from "@/components/ui/dot-grid";
import { dotGrid } from "@/lib/brand/dot-grid";
import { limits } from "@/lib/config/limits";

test.each([
  ["open", [dotGrid.openSize, 0]],
  ["requested", [dotGrid.filledSize, dotGrid.holeSize]],
  ["accepted", [dotGrid.filledSize, 0]],
] as const)("draws one dot for each like, and names the state %s unless it is open", (state, sizes) => {
  render(<DotGrid dots={{ state, caption: "What the dots show" }} />);
  expect(screen.queryAllByRole("img", { name: "What the dots show" })).toHaveLength(state === "open" ? 0 : 1);
  const paths = [...document.querySelectorAll("path")];
  expect(paths.map((path) => Number(path.getAttribute("stroke-width")))).toEqual(sizes);
  for (const path of paths)
    expect(path.getAttribute("d")?.split("h0")).toHaveLength(limits.likesPerRequest + 1);
});
