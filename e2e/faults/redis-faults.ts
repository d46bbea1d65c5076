import { readdirSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Visitor } from "@/testing/visitor";
import { until } from "@/testing/until";
import { giveFlow } from "@/testing/visitor-in-flow";
import { audit, idsOf, readOrders, type Findings, type Scenario } from "./audit";
import type { Fixture } from "./fixture";

export const redisFaults: Scenario[] = [
  {
    name: "Redis killed, back with its file",
    run: (fixture) => duringTraffic(fixture, 3, () => fixture.killRedisFor(300)),
  },
  {
    // The pause is longer than the deadline of a request. Redis then runs the delayed commands.
    name: "Redis paused",
    run: (fixture) => duringTraffic(fixture, 2, () => fixture.freezeRedisFor(2_500)),
  },
  // As after a failover, or a power cut with `everysec`.
  { name: "Redis loses its last writes", run: losingWrites },
];

/** More visitors order than the budget allows. Runs `fault` so many times meanwhile. */
async function duringTraffic(fixture: Fixture, times: number, fault: () => Promise<void>): Promise<Findings> {
  const server = await fixture.startServer();
  fixture.serve(() => pause(100));
  await fixture.traffic(await fixture.visitors(server, fixture.places + 5), times, fault);
  return audit(fixture, {
    expected: { "the budget is used up": fixture.received.ids.size === fixture.places },
  });
}

/**
 * Two groups of visitors order, and three more visitors wait for the delivery service. Redis then loses the orders of
 * the second group and of the waiting visitors. Afterwards all visitors start a new flow and order again. Only visitors
 * with a lost order succeed.
 */
async function losingWrites(fixture: Fixture): Promise<Findings> {
  const { redis: redisServer } = fixture.servers;
  const server = await fixture.startServer();
  const quarter = Math.floor(fixture.places / 4);
  const first = await fixture.visitors(server, quarter);
  const second = await fixture.visitors(server, quarter);
  const waiting = await fixture.visitors(server, 3);
  await fixture.traffic(first);
  const folder = join(redisServer.dir, "appendonlydir");
  const parts = () => readdirSync(folder).filter((entry) => entry.endsWith(".incr.aof"));
  // The first maintenance run of the process replaces the first part.
  await until("the file is rewritten", () => parts().length === 1 && !parts()[0]?.includes(".1.incr"));
  const file = join(folder, parts()[0] ?? "");
  const { size } = statSync(file);
  await fixture.traffic(second);

  let respond = (): void => undefined;
  const responding = new Promise<void>((resolve) => (respond = resolve));
  fixture.serve(() => responding);
  const calls = fixture.receiver.requests.length;
  const pending = Promise.all(waiting.map((visitor) => fixture.like(visitor)));
  await fixture.receiver.waitForRequests(calls + waiting.length);
  fixture.faults += 1;
  await redisServer.kill();
  truncateSync(file, size);
  await redisServer.restart();
  respond();
  const responses = await pending;
  fixture.serve();
  await fixture.untilNothingIsOpen();

  const likeAgain = async (visitor: Visitor) => {
    // Orders of the same flow have the same id.
    await giveFlow(visitor);
    return fixture.likeUntilFinal(visitor, [], `again-${visitor.options.address}`);
  };
  const again = await Promise.all(first.map(likeAgain));
  for (const visitor of [...second, ...waiting]) await likeAgain(visitor);
  const forgotten = second.length + waiting.length;
  const extra = fixture.received.ids.size - idsOf(await readOrders(fixture), "accepted").length;
  return audit(fixture, {
    forgotten,
    expected: {
      "no lost order gets a success response": responses.every((response) => response?.status !== 200),
      "the remaining cooldowns hold": again.every(({ body }) => body.code === "cooldown"),
      "only lost orders exceed the budget": extra <= forgotten,
    },
  });
}
