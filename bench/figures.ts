import { readKept, type Tables } from "./results";

/**
 * A guide with its tables of figures as they are kept: between `<!-- figures: bench sizes -->` and `<!-- end -->` stands
 * the table `sizes` of bench/results/bench.json, formatted as prettier does.
 */
export function withFigures(guide: string): string {
  return guide.replace(
    /(<!-- figures: (\w+) (\w+) -->\n)[^]*?(<!-- end -->)/g,
    (_, start: string, program: string, name: string, end: string) => {
      const rows = readKept(program)[name];
      if (!rows) throw new Error(`bench/results/${program}.json has no table "${name}".`);
      return `${start}\n${table(rows)}\n\n${end}`;
    },
  );
}

function table(rows: Tables[string]): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cells = [columns.map(words), ...rows.map((row) => columns.map((column) => shown(row[column])))];
  const widths = columns.map((_, at) => Math.max(3, ...cells.map((line) => line[at]?.length ?? 0)));
  const line = (content: string[]) =>
    `| ${content.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(" | ")} |`;
  const [head, ...body] = cells.map(line);
  return [head, line(widths.map((width) => "-".repeat(width))), ...body].join("\n");
}

/** "scriptOverBlank" as "script over blank". */
function words(column: string): string {
  return column.replace(/[A-Z](?=[a-z])/g, (letter) => ` ${letter.toLowerCase()}`);
}

function shown(value: string | number = ""): string {
  return typeof value === "number" ? value.toLocaleString("en-US") : value;
}
