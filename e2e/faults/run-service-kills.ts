import { parseArgs } from "node:util";
import { print, runTool } from "@/scripts/lib/terminal";
import { killService } from "./service-kills";

/* npm run chaos -- service: the example service is killed under load, and the books are compared. */

runTool(async () => {
  const { values } = parseArgs({
    options: {
      orders: { type: "string", default: "500" },
      kills: { type: "string", default: "10" },
    },
  });
  const { broken, ...figures } = await killService({
    orders: Number(values.orders),
    kills: Number(values.kills),
  });
  for (const [name, value] of Object.entries(figures)) print(`${name.padEnd(9)} ${value}`);
  for (const line of broken) print(`BROKEN: ${line}`);
  if (broken.length === 0) print("The books agree.");
  return broken.length === 0 ? 0 : 1;
});
