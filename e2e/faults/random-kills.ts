import type { AppServer } from "../support/servers/app-server";
import { everyNth, type Trap } from "../support/servers/redis-proxy";
import { newVisitorInFlow } from "../support/visitor-in-flow";
import { idOf } from "../support/servers/webhook-receiver";
import { audit, type Findings } from "./audit";
import { pause, type Shop } from "./shop";

const visitorsAtOnce = 16;

type Faults = Record<string, () => Promise<void>>;

/**
 * Two servers under load while servers, Redis, its connections and the delivery service fail at random. The seed decides
 * which fault comes when; what it meets is the machine's business.
 */
export async function randomKills(shop: Shop, seed: number, seconds: number): Promise<Findings> {
  // A stream of its own for each kind, so that the order of faults does not depend on how many calls there are.
  const [ofServers, ofRedis, ofService, ofVisitors] = streams(seed);
  const servers = await Promise.all([shop.startServer(), shop.startServer()]);
  const endsAt = performance.now() + seconds * 1_000;
  const isOver = () => performance.now() > endsAt;
  const kinds: Record<string, number> = {};

  shop.serve(async (request) => {
    const chance = isOver() ? 1 : ofService(0, 1);
    await pause(ofService(20, 150));
    if (chance > 0.3) return undefined;
    shop.faults += 1;
    if (chance < 0.1) return "error";
    if (chance < 0.2) return "drop";
    if (chance < 0.25) return { delayMs: 1_500 };
    if (chance < 0.27) return "redirect";
    // A service that keeps its word refuses no order that it has accepted.
    return shop.received.ids.has(idOf(request)) ? undefined : "refuse";
  });

  const serverFaults: Faults = {
    "server killed": async () => {
      const index = Math.floor(ofServers(0, servers.length));
      const { port } = servers[index] as AppServer;
      await servers[index]?.kill();
      await pause(ofServers(100, 500));
      servers[index] = await shop.startServer({ port });
    },
  };
  async function withTrap(trap: Trap): Promise<void> {
    shop.proxy.set(trap);
    await pause(ofRedis(300, 1_500));
    shop.proxy.set();
  }
  const redisFaults: Faults = {
    "Redis killed": () => shop.killRedisFor(ofRedis(100, 1_000)),
    "Redis paused": () => shop.freezeRedisFor(ofRedis(300, 2_500)),
    "Redis over memory": () => shop.withRedisFull(() => pause(ofRedis(300, 1_000))),
    "answers lost": () => withTrap(everyNth(5, "lose-answer")),
    "Redis slow": () => withTrap(everyNth(2, { delayMs: 400 })),
  };

  async function breakThings(faults: Faults, random: Stream, longestPauseMs: number): Promise<void> {
    const names = Object.keys(faults);
    while (!isOver()) {
      await pause(random(100, longestPauseMs));
      const name = names[Math.floor(random(0, names.length))] ?? "";
      kinds[name] = (kinds[name] ?? 0) + 1;
      shop.faults += 1;
      await faults[name]?.();
    }
  }

  /** One visitor after the other: asks until the answer is final, at whichever server answers, and then once more. */
  async function comeAndGo(): Promise<void> {
    while (!isOver()) {
      const visitor = await newVisitorInFlow("");
      const both = ofVisitors(0, 1) < 0.2;
      const twin = both ? shop.like(visitor, undefined, servers[1]) : null;
      const answer = await shop.insist(visitor, servers);
      await twin;
      if (answer.body.code === "daily_limit") await pause(200);
      else await shop.like(visitor, "another-key", servers[0]);
    }
  }

  await Promise.all([
    breakThings(serverFaults, ofServers, 3_000),
    breakThings(redisFaults, ofRedis, 700),
    ...Array.from({ length: visitorsAtOnce }, comeAndGo),
  ]);
  await shop.untilRedisAnswers();
  const list = Object.entries(kinds).map(([name, times]) => `${name} ${times}`);
  return audit(shop, {
    expected: { "the load was real": shop.received.ids.size > 20 },
    note: `seed ${seed}; ${list.join(", ")}; the rest are calls that the delivery service failed`,
  });
}

/** Numbers at random, from the first to below the second. */
type Stream = (from: number, to: number) => number;

function streams(seed: number): [Stream, Stream, Stream, Stream] {
  const stream = (n: number): Stream => {
    const random = createRandom(seed + n);
    return (from, to) => from + random() * (to - from);
  };
  return [stream(0), stream(1), stream(2), stream(3)];
}

/** Mulberry32: small, fast, and the same on every machine. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
