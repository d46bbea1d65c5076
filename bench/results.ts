import { print } from "@/cli/terminal";

/** Prints the rows of a measurement as a table. */
export function show(title: string, rows: object[]): void {
  print(`\n${title}`);
  console.table(rows.map((row) => Object.fromEntries(Object.entries(row).flatMap(formatCell))));
}

/** Rounds numbers below 100 to three digits, and removes cells without content. */
function formatCell([column, value]: [string, unknown]): [string, string | number][] {
  if (typeof value === "number") {
    return [[column, Math.abs(value) < 100 ? Number(value.toPrecision(3)) : Math.round(value)]];
  }
  return value ? [[column, String(value)]] : [];
}
