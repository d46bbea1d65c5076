import { expect, test } from "../support/test";
import { runScenario, scenarios } from "../faults/scenarios";

for (const scenario of scenarios)
  test(`loses, repeats and leaks no order: ${scenario.name}`, async () => {
    const findings = await runScenario(scenario, 36);
    process.stdout.write(`${scenario.name}: ${JSON.stringify(findings)}\n`);
    expect(findings.broken).toEqual([]);
    expect(findings.faults).toBeGreaterThan(0);
  });
