/** Draws dots whose columns are this far apart, and whose rows are 8 apart. A line of length 0 with round caps draws one dot. */
const pathOf = (columns: number) =>
  [4, 12, 20, 28, 36].map((y) => `M4 ${y}h0${`m${columns} 0h0`.repeat(9)}`).join("");

/** Geometry of the grid of 50 dots, one for each like. All sizes are in SVG units. */
export const dotGrid = {
  path: pathOf(8),
  /** Diameters. A ring is a filled dot with a hole. */
  openSize: 2.5,
  filledSize: 5,
  holeSize: 2.8,
  /** The view box has no margin around the filled dots. */
  viewBox: "1.5 1.5 77 37",
  /** The grid on its own ground has the proportions of a panel. */
  panel: { path: pathOf(9), viewBox: "1.5 1.5 86 37" },
} as const;
