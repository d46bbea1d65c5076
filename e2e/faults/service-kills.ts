import { setTimeout as pause } from "node:timers/promises";
import { startDeliveryService } from "@/testing/servers/delivery-service";
import { liveDelivery } from "@/testing/servers/live-delivery";
import { postLink } from "@/testing/sample-posts";
import { audit, type Scenario } from "./audit";

/** Compares the ledger, the export of the example service, the budget and the responses to visitors. */
export const serviceKilled: Scenario = {
  name: "the example service is killed",
  async run(fixture) {
    const service = await fixture.servers.keep(startDeliveryService());
    const server = await fixture.startServer({ env: liveDelivery(service) });
    const orders = fixture.places;
    await fixture.traffic(await fixture.visitors(server, orders), 4, async () => {
      await service.kill();
      await pause(200);
      await service.start();
    });
    await fixture.untilNothingIsOpen();
    const exported = await service.exported();
    for (const { id } of exported) fixture.received.ids.add(id);
    return audit(fixture, {
      orders,
      expected: {
        "some requests fail": fixture.failures > 0,
        "the export has each order once": exported.length === orders,
        "the export has likes and link of each order": exported.every(
          ({ likes, postUrl }) => likes === 50 && postUrl === postLink,
        ),
        "each visitor received one reference": fixture.confirmed.size === orders,
      },
    });
  },
};
