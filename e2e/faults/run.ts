import { parseArgs } from "node:util";
import { print, runTool } from "@/scripts/lib/terminal";
import type { Findings, Scenario } from "./audit";
import { randomKills } from "./random-kills";
import { operations, runScenario, scenarios } from "./scenarios";

/*
 * npm run chaos: runs all scenarios, and prints a table. The status is 1 if an invariant breaks.
 * Options: --seed and --seconds of the random kills, and --only, a part of the names of scenarios.
 */

const places = 60;
/** Visitors order more than that, so that the limit is reached. */
const placesOfRandomKills = 200;

runTool(async () => {
  const { values } = parseArgs({
    options: {
      seed: { type: "string", default: String(Math.floor(Math.random() * 2 ** 32)) },
      seconds: { type: "string", default: "60" },
      only: { type: "string", default: "" },
    },
  });
  const random: Scenario = {
    name: `${values.seconds} s of random kills`,
    run: (fixture) => randomKills(fixture, Number(values.seed), Number(values.seconds)),
  };
  print(`Seed of the random kills: ${values.seed}`);

  const rows: Record<string, Partial<Findings>> = {};
  const notes: string[] = [];
  let isBroken = false;
  for (const scenario of [...scenarios, ...operations, random]) {
    const { name } = scenario;
    if (!name.includes(values.only)) continue;
    const startedAt = performance.now();
    const count = scenario === random ? placesOfRandomKills : places;
    const { broken, note, ...figures } = await runScenario(scenario, count).catch(failed);
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    print(`${broken.length === 0 ? "holds" : "BROKEN"} in ${seconds} s: ${name}`);
    rows[name] = figures;
    if (note !== undefined) notes.push(`${name}: ${note}.`);
    for (const line of broken) notes.push(`BROKEN, ${name}: ${line}`);
    isBroken ||= broken.length > 0;
  }
  console.table(rows);
  for (const line of notes) print(line);
  return isBroken || Object.keys(rows).length === 0 ? 1 : 0;
});

function failed(error: unknown): Partial<Findings> & Pick<Findings, "broken"> {
  return { broken: [`the scenario did not finish: ${String(error)}`] };
}
