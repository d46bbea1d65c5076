import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { everyNth, type Trap } from "../support/servers/redis-proxy";
import { idOf } from "../support/servers/webhook-receiver";
import { newVisitorInFlow } from "../support/visitor-in-flow";
import { audit, type Findings } from "./audit";
import type { Fixture } from "./fixture";

const visitorsAtOnce = 16;

/** Returns a random number, at least `from` and below `to`. */
type Random = (from: number, to: number) => number;
type Faults = Record<string, () => Promise<void>>;

/**
 * Servers, Redis, its connections and the delivery service fail at random under load. The seed decides the order and the
 * times of the faults. The requests that they interrupt differ between runs.
 */
export async function randomKills(fixture: Fixture, seed: number, seconds: number): Promise<Findings> {
  const serviceRandom = createRandom(seed, "service");
  const serverRandom = createRandom(seed, "server");
  const redisRandom = createRandom(seed, "Redis");
  const visitorRandom = createRandom(seed, "visitor");
  const servers = await Promise.all([fixture.startServer(), fixture.startServer()]);
  const end = performance.now() + seconds * 1_000;
  const isOver = () => performance.now() > end;
  const counts: Record<string, number> = {};

  fixture.serve(async (request) => {
    const chance = isOver() ? 1 : serviceRandom(0, 1);
    await pause(serviceRandom(20, 150));
    if (chance > 0.3) return undefined;
    fixture.faults += 1;
    if (chance < 0.1) return "error";
    if (chance < 0.2) return "drop";
    if (chance < 0.25) return { delayMs: 1_500 };
    if (chance < 0.27) return "redirect";
    // A correct service does not refuse an order that it has accepted.
    return fixture.received.ids.has(idOf(request)) ? undefined : "refuse";
  });

  const serverFaults: Faults = {
    "server killed": async () => {
      const index = serverRandom(0, 1) < 0.5 ? 0 : 1;
      await servers[index].kill();
      await pause(serverRandom(100, 500));
      servers[index] = await fixture.startServer({ port: servers[index].port });
    },
  };
  async function withTrap(trap: Trap): Promise<void> {
    fixture.proxy.set(trap);
    await pause(redisRandom(300, 1_500));
    fixture.proxy.set();
  }
  const redisFaults: Faults = {
    "Redis killed": () => fixture.killRedisFor(redisRandom(100, 1_000)),
    "Redis paused": () => fixture.freezeRedisFor(redisRandom(300, 2_500)),
    "Redis over memory": () => fixture.withRedisFull(() => pause(redisRandom(300, 1_000))),
    "responses lost": () => withTrap(everyNth(5, "lose-response")),
    "Redis slow": () => withTrap(everyNth(2, { delayMs: 400 })),
  };

  async function injectFaults(faults: Faults, random: Random, maxPauseMs: number): Promise<void> {
    const names = Object.keys(faults);
    while (!isOver()) {
      await pause(random(100, maxPauseMs));
      const name = names[Math.floor(random(0, names.length))] ?? "";
      counts[name] = (counts[name] ?? 0) + 1;
      fixture.faults += 1;
      await faults[name]?.();
    }
  }

  /** New visitors order one after the other, and then try to order again. Some send two requests at once. */
  async function sendOrders(): Promise<void> {
    while (!isOver()) {
      const visitor = await newVisitorInFlow("");
      const twice = visitorRandom(0, 1) < 0.2;
      const twin = twice ? fixture.like(visitor, undefined, servers[1]) : null;
      const response = await fixture.likeUntilFinal(visitor, servers);
      await twin;
      if (response.body.code === "daily_limit") await pause(200);
      else await fixture.like(visitor, "another-key", servers[0]);
    }
  }

  await Promise.all([
    injectFaults(serverFaults, serverRandom, 3_000),
    injectFaults(redisFaults, redisRandom, 700),
    ...Array.from({ length: visitorsAtOnce }, sendOrders),
  ]);
  const list = Object.entries(counts).map(([name, times]) => `${name} ${times}`);
  return audit(fixture, {
    expected: { "more than 20 orders are accepted": fixture.received.ids.size > 20 },
    note: `seed ${seed}; ${list.join(", ")}; the other faults are failed calls to the delivery service`,
  });
}

/** Each name has its own numbers, so that the number of calls does not change the other faults. */
function createRandom(seed: number, name: string): Random {
  let count = 0;
  return (from, to) => {
    count += 1;
    const digest = createHash("sha256").update(`${seed} ${name} ${count}`).digest();
    return from + (digest.readUInt32BE() / 2 ** 32) * (to - from);
  };
}
