import { setTimeout as pause } from "node:timers/promises";
import { startDeliveryService } from "../support/servers/delivery-service";
import { liveDelivery } from "../support/servers/live-delivery";
import { postLink } from "../support/sample-posts";
import { audit, type Findings } from "./audit";
import type { Fixture } from "./fixture";
import { runScenario } from "./scenarios";

const downtimeMs = 200;

/**
 * Kills examples/delivery-service so many times while visitors order, and compares the ledger, the service's export, the
 * budget and the responses to visitors.
 */
export function killService({ orders, kills }: { orders: number; kills: number }): Promise<Findings> {
  const run = async (fixture: Fixture) => {
    const service = await startDeliveryService();
    fixture.atClose(() => service.stop());
    const server = await fixture.startServer({ env: liveDelivery(service) });
    await fixture.traffic(await fixture.visitors(server, orders), kills, async () => {
      await service.kill();
      await pause(downtimeMs);
      await service.restart();
    });
    await fixture.untilNothingIsOpen();
    const exported = await service.exported();
    for (const { id } of exported) fixture.received.ids.add(id);
    const repeated = service.output().split(" repeated: ").length - 1;
    return audit(fixture, {
      orders,
      expected: {
        "the export has each order once": exported.length === orders,
        "the export has likes and link of each order": exported.every(
          ({ likes, postUrl }) => likes === 50 && postUrl === postLink,
        ),
        "each visitor received one reference": fixture.confirmed.size === orders,
      },
      note: `${repeated} repeated calls`,
    });
  };
  return runScenario({ name: "the example service is killed", run }, orders);
}
