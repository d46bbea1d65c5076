/** Geometry of the grid of 50 dots, one for each like. All sizes are in SVG units. */
export const dotGrid = {
  /** Draws the dots. The centres of two dots are 8 units apart. A line of length 0 with round caps draws one dot. */
  path: [4, 12, 20, 28, 36].map((y) => `M4 ${y}h0${"m8 0h0".repeat(9)}`).join(""),
  /** Diameters. A ring is a filled dot with a hole. */
  openSize: 2.5,
  filledSize: 5,
  holeSize: 2.8,
  /** The view box has no margin around the filled dots. */
  viewBox: "1.5 1.5 77 37",
} as const;
