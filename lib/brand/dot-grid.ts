/* Geometry of the grid of 50 dots that shows progress (docs/decisions/0019-dot-grid.md). */

const columns = 10;
const rows = 5;
/** Distance between the centres of two neighbouring dots, in SVG units. */
const pitch = 8;

/** `filledSize` and `openSize` are dot diameters in SVG units. The view box has no margin around the dots. */
export const dotGrid = {
  dots: columns * rows,
  filledSize: 6,
  openSize: 2.5,
  viewBox: "1 1 78 38",
} as const;

/** Returns the number of filled dots (0 to 50) for the progress `done / whole`. Rounds down. */
export function countFilledDots(done: number, whole: number): number {
  return Math.min(dotGrid.dots, Math.max(0, Math.floor((done * dotGrid.dots) / whole)));
}

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
