import { expect } from "@playwright/test";
import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { ledgerScripts } from "@/lib/server/likes/ledger-scripts";
import { startDeliveryService } from "@/testing/servers/delivery-service";
import { liveDelivery } from "@/testing/servers/live-delivery";
import type { Fault } from "@/testing/servers/redis-proxy";
import { isSigned } from "@/testing/servers/webhook-receiver";
import { postLink } from "@/testing/sample-posts";
import { until } from "@/testing/until";
import type { Visitor } from "@/testing/visitor";
import { type ApiResponse } from "@/testing/visitor";
import { newVisitorInFlow } from "@/testing/visitor-in-flow";
import { idsOf, type Fixture, type Scenario } from "./fixture";

const visitorsPerStep = 3;

/** The steps of an order: how all orders stop there, and which count shows that they are there. */
const steps: [name: string, hold: (fixture: Fixture) => void, count: keyof Progress][] = [
  ["before reserve reaches Redis", hold("reserve", "hold-command"), "held"],
  ["before the response of reserve", hold("reserve", "hold-response"), "open"],
  ["before the delivery", ({ receiver }) => receiver.respond("hang"), "calls"],
  ["during the delivery", (fixture) => fixture.serve(() => pause(600)), "calls"],
  ["before settle reaches Redis", hold("settle", "hold-command"), "held"],
  ["before the response of settle", hold("settle", "hold-response"), "accepted"],
];

/** The proxy holds a command of the ledger. Deliveries end at the same time, so that the orders settle together. */
function hold(verb: keyof typeof ledgerScripts, fault: Fault) {
  const script = ledgerScripts[verb];
  return (fixture: Fixture) => {
    const calls = fixture.receiver.requests.length + visitorsPerStep;
    fixture.serve(() => fixture.receiver.waitForRequests(calls));
    fixture.proxy.set({ matches: ([, first]) => first === script || first === hashOf(script), fault });
  };
}

type Progress = Awaited<ReturnType<typeof readProgress>>;

async function readProgress(fixture: Fixture) {
  const orders = await fixture.readOrders();
  return {
    /** Commands that the proxy holds. */
    held: fixture.proxy.triggered,
    calls: fixture.receiver.requests.length,
    open: idsOf(orders, "reserved", "pending").length,
    accepted: idsOf(orders, "accepted").length,
  };
}

function isAccepted(response: ApiResponse | null | undefined): boolean {
  return response?.status === 200;
}

export const serverFaults: Record<string, Scenario> = {
  /** Kills a server at each step from reserve to settle. Its visitors then send their requests to another server. */
  async "server killed at every step of an order"(fixture) {
    // With loaded scripts, each step is one command.
    for (const script of Object.values(ledgerScripts)) await fixture.store.scriptLoad(script);
    const visitors: Visitor[] = [];
    for (const [name, hold, count] of steps) {
      const server = await fixture.startServer({ env: { RECONCILE_EVERY_SECONDS: "0" } });
      // Before the first reserve, a server reads the time of Redis. Later orders are reserve, call, settle.
      await fixture.likeUntilFinal(await newVisitorInFlow(server.url));
      const own = await fixture.visitors(server, visitorsPerStep);
      const before = (await readProgress(fixture))[count];
      hold(fixture);
      const responses = own.map((visitor) => fixture.like(visitor));
      await until(name, async () => (await readProgress(fixture))[count] - before >= visitorsPerStep);
      fixture.faults += 1;
      await server.kill();
      fixture.proxy.set();
      fixture.serve();
      for (const response of responses)
        expect(await response, `the killed server responds ${name}`).toBeNull();
      visitors.push(...own);
    }
    expect((await readProgress(fixture)).open, "after reserve and before settle").toBe(4 * visitorsPerStep);
    const other = await fixture.startServer();
    const likeAll = (key?: string) =>
      Promise.all(visitors.map((visitor) => fixture.like(visitor, key, other)));
    const early = await likeAll();
    expect(early.slice(0, visitorsPerStep).every(isAccepted), "an order before reserve succeeds").toBe(true);
    expect(early.filter(isAccepted).length, "a settled order too").toBeGreaterThanOrEqual(
      2 * visitorsPerStep,
    );
    await fixture.untilNothingIsOpen();
    const late = await Promise.all(visitors.map((visitor) => fixture.likeUntilFinal(visitor, [other])));
    expect(late.every(isAccepted), "all orders are accepted after their leases end").toBe(true);
    for (const again of await likeAll("another-key")) expect(again?.body.code).toBe("cooldown");
    // Each killed server had one more order.
    await fixture.audit({ count: visitors.length + steps.length });
  },

  /** Visitors send each request to two servers at once, while half of the calls to the delivery service fail. */
  async "two servers, half of the calls fail"(fixture) {
    const servers = [await fixture.startServer(), await fixture.startServer()] as const;
    fixture.serve(async (_, index) => {
      await pause(50 + ((index * 67) % 250));
      // "drop" accepts the order and loses the response.
      const failure = ([undefined, "error", undefined, "drop"] as const)[(index * 7 + (index >> 2)) % 4];
      if (failure) fixture.faults += 1;
      return failure;
    });
    const visitors = await fixture.visitors(servers[0], fixture.places);
    const responses = await Promise.all(
      visitors.flatMap((visitor) => servers.map((server) => fixture.like(visitor, undefined, server))),
    );
    expect(new Set(responses.map(isAccepted)).size, "some first requests succeed, and some fail").toBe(2);
    await fixture.untilNothingIsOpen();
    const late = await Promise.all(visitors.map((visitor) => fixture.likeUntilFinal(visitor, [servers[1]])));
    expect(late.every(isAccepted), "the repeated requests succeed").toBe(true);
    expect(fixture.receiver.requests.every(isSigned), "every call is signed").toBe(true);
    await fixture.audit({ count: visitors.length });
  },

  async "the example service is killed"(fixture) {
    const service = await fixture.keep(startDeliveryService());
    const server = await fixture.startServer({ env: liveDelivery(service) });
    await fixture.traffic(await fixture.visitors(server, fixture.places), 4, async () => {
      await service.kill();
      await pause(200);
      await service.start();
    });
    await fixture.untilNothingIsOpen();
    const exported = await service.exported();
    for (const { id, likes, postUrl } of exported) {
      expect({ likes, postUrl }).toEqual({ likes: 50, postUrl: postLink });
      fixture.received.add(id);
    }
    expect(fixture.failures, "some requests fail").toBeGreaterThan(0);
    expect(exported.length, "the export has each order once").toBe(fixture.places);
    expect(fixture.confirmed.size, "each visitor received one reference").toBe(fixture.places);
    await fixture.audit({ count: fixture.places });
  },
};

function hashOf(script: string): string {
  return createHash("sha1").update(script).digest("hex");
}
