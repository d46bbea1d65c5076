/* The product's mark: a crop of the fifty (lib/brand/dot-grid.ts), seven columns of it, whose filled dots write the number. */

const number = [
  "ooo ooo", //
  "o   o o",
  "ooo o o",
  "  o o o",
  "ooo ooo",
];

/**
 * Its dots on a tile with round corners, in units of the drawing. A dot stands on every fourth unit, so that at 16 and 32
 * pixels all fall on whole pixels, and the number can be read.
 */
export const logoMark = { side: 32, radius: 9, path: markPath(), dotSize: 3.5 } as const;

function markPath(): string {
  return number.map((row, y) => `M0 ${8 + 4 * y}${rowPath(row)}`).join("");
}

function rowPath(row: string): string {
  return row.replaceAll(/( *)o/g, (_dot, gap: string) => `m${4 * (gap.length + 1)} 0h0`);
}
