import { parseArgs } from "node:util";
import { runTool } from "@/scripts/lib/terminal";
import type { Findings } from "./audit";
import { randomKills } from "./random-kills";
import { operations, runScenario, scenarios, type Scenario } from "./scenarios";

/*
 * npm run chaos: every fault with real processes, one table at the end, status 1 when an invariant breaks.
 * Arguments: --seed of the random kills, --seconds of them, --only a part of a scenario's name.
 */

const places = 60;
/** Fewer than there are visitors: the limit is reached while things break. */
const placesOfRandomKills = 200;

const columns = {
  requests: "requests",
  failures: "failures",
  faults: "faults",
  "well (s)": "secondsUntilWell",
  accepted: "accepted",
  lost: "lost",
  doubled: "doubled",
  leaked: "leaked",
  pending: "pending",
} as const satisfies Record<string, keyof Findings>;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      seed: { type: "string", default: String(Math.floor(Math.random() * 2 ** 32)) },
      seconds: { type: "string", default: "60" },
      only: { type: "string", default: "" },
    },
  });
  const { seed, seconds, only } = values;
  const random: Scenario = {
    name: `${seconds} s of random kills`,
    run: (shop) => randomKills(shop, Number(seed), Number(seconds)),
  };
  process.stdout.write(`Seed of the random kills: ${seed}\n`);

  const results: { name: string; findings: Findings }[] = [];
  for (const scenario of [...scenarios, ...operations, random]) {
    if (!scenario.name.includes(only)) continue;
    const startedAt = performance.now();
    const room = scenario === random ? placesOfRandomKills : places;
    const findings = await runScenario(scenario, room).catch(failed);
    const state = findings.broken.length === 0 ? "holds" : "BROKEN";
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    process.stdout.write(`${state} in ${seconds} s: ${scenario.name}\n`);
    results.push({ name: scenario.name, findings });
  }
  report(results);
  return results.length > 0 && results.every(({ findings }) => findings.broken.length === 0) ? 0 : 1;
}

/** A scenario that could not be carried through has shown nothing. */
function failed(error: unknown): Findings {
  const nothing = {
    requests: 0,
    failures: 0,
    faults: 0,
    accepted: 0,
    lost: 0,
    doubled: 0,
    leaked: 0,
    pending: 0,
  };
  return { ...nothing, broken: [`it could not be carried through: ${String(error)}`] };
}

function report(results: readonly { name: string; findings: Findings }[]): void {
  const width = Math.max(8, ...results.map(({ name }) => name.length));
  const line = (name: string, cells: readonly (string | number)[]) =>
    `${name.padEnd(width)}  ${cells.map((cell) => String(cell).padStart(8)).join("  ")}\n`;
  process.stdout.write(`\n${line("scenario", Object.keys(columns))}`);
  for (const { name, findings } of results) {
    const cells = Object.values(columns).map((column) => findings[column] ?? "-");
    process.stdout.write(line(name, cells));
  }
  process.stdout.write("\n");
  for (const { name, findings } of results) {
    if (findings.note !== undefined) process.stdout.write(`${name}: ${findings.note}.\n`);
    for (const broken of findings.broken) process.stdout.write(`BROKEN, ${name}: ${broken}\n`);
  }
}

runTool(main);
