import { print, runTool } from "@/scripts/lib/terminal";
import { killService } from "./service-kills";

/* npm run chaos -- service: kills the example service under load, and compares all records of the orders. */

runTool(async () => {
  const startedAt = performance.now();
  const { broken, ...figures } = await killService({ orders: 500, kills: 10 });
  for (const [name, value] of Object.entries(figures)) print(`${name.padEnd(9)} ${value}`);
  print(`seconds   ${Math.round((performance.now() - startedAt) / 1_000)}`);
  for (const line of broken) print(`BROKEN: ${line}`);
  if (broken.length === 0) print("All records agree.");
  return broken.length === 0 ? 0 : 1;
});
