import { runScenario, scenarios } from "../faults/scenarios";

it.each(scenarios)("keeps its promises: $name", async (scenario) => {
  const findings = await runScenario(scenario, 36);
  process.stdout.write(`${scenario.name}: ${JSON.stringify(findings)}\n`);
  expect(findings.broken).toEqual([]);
  expect(findings.faults).toBeGreaterThan(0);
});
