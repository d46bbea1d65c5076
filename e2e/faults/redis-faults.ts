import { readFileSync, rmSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { inTime } from "../support/in-time";
import { everyNth } from "../support/servers/redis-proxy";
import { until } from "../support/until";
import type { ApiAnswer } from "../support/visitor";
import { newVisitorInFlow } from "../support/visitor-in-flow";
import { audit, idsIn, readBooks, type Findings } from "./audit";
import { pause, type Shop } from "./shop";

const appendOnlyFolder = "appendonlydir";

/** Lets visitors, more than there is room for, order while a fault comes and goes; the places are then full. */
async function duringTraffic(shop: Shop, times: number, fault: () => Promise<void>): Promise<Findings> {
  const server = await shop.startServer();
  shop.serve(() => pause(100));
  const work = shop.traffic(await shop.visitors(server, shop.places + 5));
  for (let time = 1; time <= times; time += 1) {
    const enough = Math.floor((time * shop.places) / (times + 1));
    await until(`${enough} are accepted`, () => shop.received.ids.size >= enough, 60_000);
    shop.faults += 1;
    await fault();
  }
  await work;
  return audit(shop, { expected: { "every place is taken": shop.received.ids.size === shop.places } });
}

/** Redis dies in the middle of traffic, and comes back with what it had written. */
export const redisKilled = (shop: Shop) => duringTraffic(shop, 3, () => shop.killRedisFor(300));

/** Redis stops for longer than anybody waits, and then runs what had piled up in its sockets. */
export const redisPaused = (shop: Shop) => duringTraffic(shop, 2, () => shop.freezeRedisFor(2_500));

/** Connections break after a command ran, before the answers on it arrive: at every eleventh command of all traffic. */
export async function connectionsReset(shop: Shop): Promise<Findings> {
  shop.proxy.set(everyNth(11, "lose-answer"));
  const findings = await duringTraffic(shop, 0, () => Promise.resolve());
  return { ...findings, faults: shop.proxy.sprung };
}

/** Redis refuses to write because its memory is full, first in traffic and then for visitors who come meanwhile. */
export async function redisOverMemory(shop: Shop): Promise<Findings> {
  const server = await shop.startServer();
  shop.serve(() => pause(100));
  const [early, late] = [await shop.visitors(server, shop.places - 5), await shop.visitors(server, 5)];
  const work = shop.traffic(early);
  await until("traffic", () => shop.received.ids.size >= 5);
  shop.faults += 1;
  await shop.withRedisFull(() => pause(500));
  await work;

  shop.faults += 1;
  const calls = shop.receiver.requests.length;
  const { refused, status } = await shop.withRedisFull(async () => ({
    refused: await Promise.all(late.map((visitor) => shop.like(visitor))),
    status: await shop.send(() => shop.newPerson(server).get("/api/instagram/status")),
  }));
  const delivered = shop.receiver.requests.length - calls;
  await shop.traffic(late);
  return audit(shop, {
    expected: {
      "a full Redis means 503": refused.every(isUnavailable),
      "nothing was delivered meanwhile": delivered === 0,
      "what only reads goes on": status?.status === 200,
      "every place is taken": shop.received.ids.size === shop.places,
    },
  });
}

/** Redis answers, but so late that two uses of it take longer than a visitor is made to wait; one does not. */
export async function redisSlow(shop: Shop): Promise<Findings> {
  const server = await shop.startServer();
  await shop.insist(await newVisitorInFlow(server.url));
  const person = shop.newPerson(server);
  // Redis then knows the scripts: each step is one command.
  await shop.send(() => person.post("/api/recaptcha/verify", { token: "none" }));
  const token = await person.solveCaptcha();
  const secondToken = await person.solveCaptcha();
  shop.faults += 1;
  shop.proxy.set(everyNth(1, { delayMs: 1_000 }));
  const startedAt = performance.now();
  const [oneUse, twoUses] = await Promise.all([
    shop.send(() => person.post("/api/recaptcha/verify", { token })),
    shop.sendMessage(person, secondToken),
  ]);
  const seconds = (performance.now() - startedAt) / 1_000;
  // Two uses as well, but after the first the order is on its way, and is waited for.
  const order = await shop.like(await newVisitorInFlow(server.url));
  shop.proxy.set();
  return audit(shop, {
    expected: {
      "one slow step is waited for": oneUse?.status === 200,
      "many slow steps together mean 503": isUnavailable(twoUses),
      "within 2 s": inTime(seconds),
      "an order that fits goes through": order?.status === 200,
    },
  });
}

/** Redis comes back with nothing: every cooldown, order and charge is forgotten. */
export const redisEmptied = (shop: Shop) =>
  losingWrites(shop, "everything that Redis knew", (folder) => rmSync(folder, { recursive: true }));

/** The last writes are gone although they were acknowledged, as after a fail-over or a power cut with `everysec`. */
export const redisLosesItsLastWrites = (shop: Shop) => losingWrites(shop, "the last writes");

/**
 * Half of the places are taken, then Redis loses all writes or those of the second half of these orders, while calls
 * are on their way. Afterwards everybody asks again under a new key. What was lost may be ordered again; nothing else.
 */
async function losingWrites(shop: Shop, what: string, wipe?: (folder: string) => void): Promise<Findings> {
  const server = await shop.startServer();
  const quarter = Math.floor(shop.places / 4);
  const visitors = await shop.visitors(server, 2 * quarter + 3);
  const [first, second, caught] = [
    visitors.slice(0, quarter),
    visitors.slice(quarter, 2 * quarter),
    visitors.slice(-3),
  ];
  await shop.traffic(first);
  const folder = join(shop.redisServer.dir, appendOnlyFolder);
  const file = join(folder, currentFile(folder));
  const kept = statSync(file).size;
  await shop.traffic(second);
  // These have ordered, and their calls are being worked on while Redis loses the reservations.
  let work = (): void => undefined;
  const working = new Promise<void>((resolve) => (work = resolve));
  shop.serve(() => working);
  const calls = shop.receiver.requests.length;
  const answers = Promise.all(caught.map((visitor) => shop.like(visitor)));
  await shop.receiver.waitForRequests(calls + caught.length);
  shop.faults += 1;
  await shop.redisServer.kill();
  if (wipe) wipe(folder);
  else truncateSync(file, kept);
  await shop.redisServer.restart();
  work();
  const told = await answers;
  shop.serve();
  const forgotten = (wipe ? first.length : 0) + second.length + caught.length;
  await shop.untilRedisAnswers();

  const again = await Promise.all(
    first.map((visitor) => shop.insist(visitor, [], `again-${visitor.options.address}`)),
  );
  for (const visitor of [...second, ...caught])
    await shop.insist(visitor, [], `again-${visitor.options.address}`);
  const extra = shop.received.ids.size - idsIn(await readBooks(shop), "accepted").length;
  return audit(shop, {
    forgotten,
    expected: {
      "an order that was lost on its way is never called a success": told.every(
        (answer) => answer?.status !== 200,
      ),
      "cooldowns that were kept still hold": again.every(({ body }) => (body.code === "cooldown") === !wipe),
      "at most the lost orders come on top of the budget": extra <= forgotten,
    },
    note: `Redis lost ${what}: ${extra} orders that only the receiver knows, ordered again by their visitors`,
  });
}

function currentFile(folder: string): string {
  const manifest = readFileSync(join(folder, "appendonly.aof.manifest"), "utf8");
  const [, name] = /^file (\S+) seq \d+ type i/m.exec(manifest) ?? [];
  if (name === undefined) throw new Error("Redis has no append-only file");
  return name;
}

export function isUnavailable(answer: ApiAnswer | null): boolean {
  return answer?.status === 503 && answer.body.code === "service_unavailable";
}
