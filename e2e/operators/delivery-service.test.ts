import { expect, test } from "../support/test";
import { killService } from "../faults/service-kills";

test("the books of the site and of the example service agree, although the service is killed in between", async () => {
  const findings = await killService({ orders: 24, kills: 2 });
  process.stdout.write(`${JSON.stringify(findings)}\n`);
  expect(findings.broken).toEqual([]);
  expect(findings.failures).toBeGreaterThan(0);
});
