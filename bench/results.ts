import { print } from "@/cli/terminal";

/** Prints the rows of a measurement as a table. Numbers below 100 have three digits. */
export function show(title: string, rows: object[]): void {
  const round = (_: string, value: unknown) => {
    if (typeof value !== "number") return value;
    return Math.abs(value) < 100 ? Number(value.toPrecision(3)) : Math.round(value);
  };
  print(`\n${title}`);
  console.table(JSON.parse(JSON.stringify(rows, round)));
}
