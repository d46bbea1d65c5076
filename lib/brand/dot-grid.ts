/*
 * The product's one number as a picture: fifty dots in five rows of ten, filled in reading order. components/ui/dot-grid.tsx
 * draws it; lib/brand/logo-mark.ts is a crop of it.
 */

const columns = 10;
const rows = 5;
/** Between the centres of two dots. */
const pitch = 8;

/** In units of the drawing: the diameters of its dots, and the box that filled ones touch on all sides. */
export const dotGrid = {
  dots: columns * rows,
  filledSize: 6,
  openSize: 2.5,
  viewBox: "1 1 78 38",
} as const;

/** How many of the fifty are filled when `done` of `whole` is. All of them only at the end, none before the start. */
export function countFilledDots(done: number, whole: number): number {
  return Math.min(dotGrid.dots, Math.max(0, Math.floor((done * dotGrid.dots) / whole)));
}

/** The dots from one number up to another, which is left out, as the path of a line with round ends. */
export function dotsPath(from: number, to: number): string {
  let path = "";
  for (let index = from; index < to; index += 1) {
    const column = index % columns;
    const begin = index === from || column === 0;
    path += begin
      ? `M${pitch * (column + 0.5)} ${pitch * (Math.floor(index / columns) + 0.5)}`
      : `m${pitch} 0`;
    // A line of no length: its round ends are the dot.
    path += "h0";
  }
  return path;
}
