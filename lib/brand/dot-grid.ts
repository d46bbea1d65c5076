/* Geometry of the grid of 50 dots, one for each like (docs/decisions/0033-grammar-of-the-dots.md). */

const columns = 10;
const rows = 5;
/** Distance between the centres of two neighbouring dots, in SVG units. */
const pitch = 8;

/** Sizes are diameters in SVG units. The view box has no margin around the dots. */
export const dotGrid = {
  dots: columns * rows,
  filledSize: 6,
  openSize: 2.5,
  /** Diameter of the hole of a ring, which is as large as a filled dot. */
  holeSize: 3.6,
  viewBox: "1 1 78 38",
} as const;

/** Returns an SVG path for the dots from index `from` up to, but not including, index `to`. */
export function dotsPath(from: number, to: number): string {
  let path = "";
  for (let index = from; index < to; index += 1) {
    const column = index % columns;
    const startsRow = index === from || column === 0;
    path += startsRow
      ? `M${pitch * (column + 0.5)} ${pitch * (Math.floor(index / columns) + 0.5)}`
      : `m${pitch} 0`;
    // A zero-length line with round caps draws one dot.
    path += "h0";
  }
  return path;
}
