import { expect, test } from "../support/test";
import { killService } from "../faults/service-kills";

test("site and example service have the same orders after the service was killed twice", async () => {
  const findings = await killService({ orders: 24, kills: 2 });
  process.stdout.write(`${JSON.stringify(findings)}\n`);
  expect(findings.broken).toEqual([]);
  expect(findings.failures).toBeGreaterThan(0);
});
