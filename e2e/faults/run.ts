import { parseArgs } from "node:util";
import { print, runTool } from "@/cli/terminal";
import type { Findings, Scenario } from "./audit";
import { randomKills } from "./random-kills";
import { runScenario, scenarios } from "./scenarios";

/*
 * npm run chaos: runs all scenarios, or those whose names contain the argument, and prints a table. The status is 1 if an
 * invariant breaks. Option: --seconds of the random kills.
 */

const places = 60;
/** Visitors order more than that, so that the limit is reached. */
const placesOfRandomKills = 200;

runTool(async () => {
  const { values, positionals } = parseArgs({
    options: { seconds: { type: "string", default: "60" } },
    allowPositionals: true,
  });
  const random: Scenario = {
    name: `${values.seconds} s of random kills`,
    run: (fixture) => randomKills(fixture, Number(values.seconds)),
  };

  const rows: Record<string, Partial<Findings>> = {};
  const notes: string[] = [];
  for (const scenario of [...scenarios, random]) {
    const { name } = scenario;
    if (!name.includes(positionals[0] ?? "")) continue;
    const startedAt = performance.now();
    const count = scenario === random ? placesOfRandomKills : places;
    const { broken, ...figures } = await runScenario(scenario, count).catch(failed);
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    print(`${broken.length === 0 ? "holds" : "BROKEN"} in ${seconds} s: ${name}`);
    rows[name] = figures;
    for (const line of broken) notes.push(`BROKEN, ${name}: ${line}`);
  }
  console.table(rows);
  for (const line of notes) print(line);
  return notes.length > 0 || Object.keys(rows).length === 0 ? 1 : 0;
});

function failed(error: unknown): Partial<Findings> & Pick<Findings, "broken"> {
  return { broken: [`the scenario did not finish: ${String(error)}`] };
}
