import { operations, runScenario } from "./faults/scenarios";

/* The short form of what `npm run chaos` does with more visitors. */

it.each(operations)("survives what operators do: $name", async (scenario) => {
  const findings = await runScenario(scenario, 12);
  process.stdout.write(`${scenario.name}: ${JSON.stringify(findings)}\n`);
  expect(findings.broken).toEqual([]);
  expect(findings.doubled).toBe(0);
});
