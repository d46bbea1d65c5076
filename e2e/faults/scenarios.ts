import type { Findings, Scenario } from "./audit";
import { clockFaults } from "./clock-faults";
import { Fixture } from "./fixture";
import { redisFaults } from "./redis-faults";
import { redisOperations } from "./redis-operations";
import { serverFaults } from "./server-faults";
import { serviceKilled } from "./service-kills";

/** `npm run verify` runs these scenarios. `npm run chaos` runs them with more visitors. */
export const scenarios: Scenario[] = [
  ...serverFaults,
  ...redisFaults,
  ...redisOperations,
  ...clockFaults,
  serviceKilled,
];

/** Runs a scenario with its own processes, and a budget for so many orders. */
export async function runScenario({ run }: Scenario, places: number): Promise<Findings> {
  const fixture = await Fixture.open(places);
  try {
    return await run(fixture);
  } finally {
    await fixture.servers.stop();
  }
}
