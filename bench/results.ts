import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { print } from "@/scripts/lib/terminal";

/** The figures that the guides quote: of a run that `npm run figures` took over. */
export const keptFolder = join(__dirname, "results");
/** Those of the last run, whatever the machine did meanwhile. */
export const latestFolder = join(keptFolder, "latest");

export const programs = ["bench", "lighthouse", "throttled"] as const;

const tables = z.record(z.string(), z.array(z.record(z.string(), z.union([z.string(), z.number()]))));
/** What a run found: tables by name, of rows with a cell for each column. */
export type Tables = z.infer<typeof tables>;

export interface Report {
  /** Prints a table, its figures short enough to read. */
  show(name: string, title: string, rows: object[]): void;
  /** Writes all tables that were shown to `bench/results/latest/`. */
  keep(): void;
}

export function newReport(program: (typeof programs)[number]): Report {
  const shown: Tables = {};
  return {
    show(name, title, rows) {
      const short = rows.map((row) => Object.fromEntries(Object.entries(row).flatMap(shortCell)));
      print(`\n${title}`);
      console.table(short);
      shown[name] = short;
    },
    keep() {
      mkdirSync(latestFolder, { recursive: true });
      writeFileSync(join(latestFolder, `${program}.json`), aRowALine(shown));
      print(`\nKept in bench/results/latest/${program}.json; npm run figures brings it into the guides.`);
    },
  };
}

/** The kept figures of a program; throws when there are none. */
export function readKept(program: string): Tables {
  return tables.parse(JSON.parse(readFileSync(join(keptFolder, `${program}.json`), "utf8")));
}

/** Three digits are what a measurement is worth; bytes and counts have all of theirs. Cells without content are left out. */
function shortCell([column, value]: [string, unknown]): [string, string | number][] {
  if (typeof value === "number") {
    return [[column, Math.abs(value) < 100 ? Number(value.toPrecision(3)) : Math.round(value)]];
  }
  return value ? [[column, String(value)]] : [];
}

/** JSON in which git shows the rows that changed. */
function aRowALine(found: Tables): string {
  const lines = Object.entries(found).map(
    ([name, rows]) => `"${name}": [\n${rows.map((row) => JSON.stringify(row)).join(",\n")}\n]`,
  );
  return `{\n${lines.join(",\n")}\n}\n`;
}
