import { readdirSync, rmSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { inTime } from "../support/in-time";
import { everyNth } from "../support/servers/redis-proxy";
import { Visitor } from "../support/visitor";
import { newVisitorInFlow } from "../support/visitor-in-flow";
import { audit, idsOf, readOrders, type Findings, type Scenario } from "./audit";
import type { ApiResponse, Fixture } from "./fixture";

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
  { name: "connections reset after the command ran", run: connectionsReset },
  { name: "Redis slow", run: redisSlow },
  // As after a failover, or a power cut with `everysec`.
  { name: "Redis loses its last writes", run: (fixture) => losingWrites(fixture) },
  {
    name: "Redis comes back empty",
    run: (fixture) => losingWrites(fixture, (folder) => rmSync(folder, { recursive: true })),
  },
];

/** More visitors order than the budget allows. Runs `fault` so many times meanwhile. */
async function duringTraffic(
  fixture: Fixture,
  times: number,
  fault?: () => Promise<void>,
): Promise<Findings> {
  const server = await fixture.startServer();
  fixture.serve(() => pause(100));
  await fixture.traffic(await fixture.visitors(server, fixture.places + 5), times, fault);
  return audit(fixture, {
    expected: { "the budget is used up": fixture.received.ids.size === fixture.places },
  });
}

/** Every eleventh command runs, and its connection breaks before the response. */
async function connectionsReset(fixture: Fixture): Promise<Findings> {
  fixture.proxy.set(everyNth(11, "lose-response"));
  const findings = await duringTraffic(fixture, 0);
  return { ...findings, faults: fixture.proxy.triggered };
}

/** Redis responds so slowly that a request can use it once before its deadline, but not twice. */
async function redisSlow(fixture: Fixture): Promise<Findings> {
  const server = await fixture.startServer();
  // These requests load the scripts, so that each step below is one command.
  await fixture.likeUntilFinal(await newVisitorInFlow(server.url));
  const visitor = new Visitor(server.url);
  await fixture.send(() => visitor.post("/api/recaptcha/verify", { token: "none" }));
  const token = await visitor.solveCaptcha();
  const secondToken = await visitor.solveCaptcha();
  fixture.faults += 1;
  fixture.proxy.set(everyNth(1, { delayMs: 1_000 }));
  const startedAt = performance.now();
  const [oneStep, twoSteps] = await Promise.all([
    fixture.send(() => visitor.post("/api/recaptcha/verify", { token })),
    fixture.sendMessage(visitor, secondToken),
  ]);
  const seconds = (performance.now() - startedAt) / 1_000;
  // The deadline does not apply to the second step of an order, which follows the call.
  const order = await fixture.like(await newVisitorInFlow(server.url));
  fixture.proxy.set();
  return audit(fixture, {
    expected: {
      "a request with one slow step succeeds": oneStep?.status === 200,
      "a request with two slow steps gets 503": isUnavailable(twoSteps),
      "within 2 s": inTime(seconds),
      "an order succeeds": order?.status === 200,
    },
  });
}

/**
 * Two groups of visitors order, and three more visitors wait for the delivery service. Redis then loses the orders of
 * the second group and of the waiting visitors, or everything that `wipe` deletes. Afterwards all visitors start a new
 * flow and order again. Only visitors with a lost order succeed.
 */
async function losingWrites(fixture: Fixture, wipe?: (folder: string) => void): Promise<Findings> {
  const server = await fixture.startServer();
  const quarter = Math.floor(fixture.places / 4);
  const first = await fixture.visitors(server, quarter);
  const second = await fixture.visitors(server, quarter);
  const waiting = await fixture.visitors(server, 3);
  await fixture.traffic(first);
  const folder = join(fixture.redisServer.dir, "appendonlydir");
  const file = readdirSync(folder).find((name) => name.endsWith(".incr.aof"));
  if (!file) throw new Error("Redis has no append-only file");
  const size = statSync(join(folder, file)).size;
  await fixture.traffic(second);

  let respond = (): void => undefined;
  const responding = new Promise<void>((resolve) => (respond = resolve));
  fixture.serve(() => responding);
  const calls = fixture.receiver.requests.length;
  const pending = Promise.all(waiting.map((visitor) => fixture.like(visitor)));
  await fixture.receiver.waitForRequests(calls + waiting.length);
  fixture.faults += 1;
  await fixture.redisServer.kill();
  if (wipe) wipe(folder);
  else truncateSync(join(folder, file), size);
  await fixture.redisServer.restart();
  respond();
  const responses = await pending;
  fixture.serve();
  await fixture.untilNothingIsOpen();

  const likeAgain = async (visitor: Visitor) => {
    // Orders of the same flow have the same id.
    const { cookies } = await newVisitorInFlow(server.url);
    visitor.cookies.set("flow", cookies.get("flow") ?? "");
    return fixture.likeUntilFinal(visitor, [], `again-${visitor.options.address}`);
  };
  const again = await Promise.all(first.map(likeAgain));
  for (const visitor of [...second, ...waiting]) await likeAgain(visitor);
  const forgotten = (wipe ? first.length : 0) + second.length + waiting.length;
  const extra = fixture.received.ids.size - idsOf(await readOrders(fixture), "accepted").length;
  return audit(fixture, {
    forgotten,
    expected: {
      "no lost order gets a success response": responses.every((response) => response?.status !== 200),
      "the remaining cooldowns hold": again.every(({ body }) => (body.code === "cooldown") === !wipe),
      "only lost orders exceed the budget": extra <= forgotten,
    },
    note: `${extra} of ${fixture.received.ids.size} orders are known only to the delivery service`,
  });
}

export function isUnavailable(response: ApiResponse | null): boolean {
  return response?.status === 503 && response.body.code === "service_unavailable";
}
