/** Dots of the logo. Together, the dots show the number 50. Each "o" is a dot. */
const dotRows = [
  "ooo ooo", //
  "o   o o",
  "ooo o o",
  "  o o o",
  "ooo ooo",
];

/** Logo geometry in SVG units. Dots are 4 units apart. In an icon of 16 pixels, this distance is 2 pixels. */
export const logoMark = { side: 32, radius: 9, path: markPath(), dotSize: 3.5 } as const;

function markPath(): string {
  return dotRows.map((row, y) => `M0 ${8 + 4 * y}${rowPath(row)}`).join("");
}

function rowPath(row: string): string {
  return row.replaceAll(/( *)o/g, (_dot, gap: string) => `m${4 * (gap.length + 1)} 0h0`);
}
