import { expect } from "@playwright/test";
import { readdirSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Redis } from "@upstash/redis";
import type { AppServer } from "@/testing/servers/app-server";
import { startRedis, startSentinel } from "@/testing/servers/redis-server";
import { until } from "@/testing/until";
import { Visitor } from "@/testing/visitor";
import { giveFlow } from "@/testing/visitor-in-flow";
import { idsOf, type Fixture, type Scenario } from "./fixture";

const loadingSeconds = 5;

/** More visitors order than the budget allows. Runs `fault` so many times meanwhile. */
async function duringTraffic(fixture: Fixture, times: number, fault: () => Promise<void>): Promise<void> {
  const server = await fixture.startServer();
  fixture.serve(() => pause(100));
  await fixture.traffic(await fixture.visitors(server, fixture.places + 5), times, fault);
  expect(fixture.received.size, "the budget is used up").toBe(fixture.places);
  await fixture.audit();
}

interface Operation {
  /** Settings for a Redis other than the fixture's. */
  env?: Record<string, string | undefined>;
  /** Resolves when Redis accepts writes again. */
  run: (server: AppServer) => Promise<void>;
  losesWrites?: boolean;
}

/** Visitors use up the budget. The operation runs after half of the orders. The site is healthy 5 s after it. */
async function duringOrders(fixture: Fixture, { env, run, losesWrites }: Operation): Promise<void> {
  const server = await fixture.startServer({ env });
  fixture.serve(() => pause(300));
  await fixture.traffic(await fixture.visitors(server, fixture.places), 1, async () => {
    await run(server);
    const startedAt = performance.now();
    await until("the server is healthy", async () => (await fixture.health(server)) === 200, 20_000);
    const visitor = new Visitor(server.url);
    const verify = async () => {
      const token = await visitor.solveCaptcha();
      return (await fixture.send(() => visitor.post("/api/recaptcha/verify", { token })))?.status === 200;
    };
    await until("a visitor passes the captcha", verify, 20_000);
    expect(performance.now() - startedAt, "healthy within 5 s").toBeLessThanOrEqual(5_000);
  });
  const { size } = fixture.received;
  if (!losesWrites) expect(size, "the budget is used up").toBe(fixture.places);
  const unknown = size - idsOf(await fixture.readOrders(), "accepted").length;
  await fixture.audit({ forgotten: losesWrites ? Math.max(0, unknown) : 0 });
}

async function startReplica(fixture: Fixture): Promise<{ port: number; redis: Redis }> {
  // By default, Redis waits 5 s for further replicas.
  await fixture.store.exec(["CONFIG", "SET", "repl-diskless-sync-delay", 0]);
  const settings = ["--appendonly", "yes", "--replicaof", `127.0.0.1 ${fixture.redis.port}`];
  const replica = await fixture.keep(startRedis({ settings }));
  await untilReplication(fixture.store, "state=online");
  return { port: replica.port, redis: await fixture.openRedis(replica.url) };
}

/** Waits until the section "replication" of INFO contains `text`. */
function untilReplication(redis: Redis, text: string): Promise<void> {
  const read = () => redis.exec<string>(["INFO", "replication"]).catch(() => "");
  return until(text, async () => (await read()).includes(text));
}

/** Expects 503 from the deep health check for so many milliseconds. */
async function expectUnhealthy(fixture: Fixture, server: AppServer, ms: number): Promise<void> {
  for (const end = performance.now() + ms; performance.now() < end; await pause(100))
    expect(await fixture.health(server), "the health check").toBe(503);
}

/** Faults of Redis, and changes of a Redis in operation. */
export const redisFaults: Record<string, Scenario> = {
  "Redis killed, back with its file": (fixture) =>
    duringTraffic(fixture, 3, async () => {
      await fixture.redis.kill();
      await pause(300);
      await fixture.redis.restart();
    }),

  // The pause is longer than the deadline of a request. Redis then runs the delayed commands.
  "Redis paused": (fixture) =>
    duringTraffic(fixture, 2, async () => {
      fixture.redis.freeze();
      await pause(2_500);
      fixture.redis.thaw();
    }),

  /**
   * As after a failover, or a power cut with `everysec`. Two groups of visitors order, and three more visitors wait for the
   * delivery service. Redis then loses the orders of the second group and of the waiting visitors. Afterwards all visitors
   * start a new flow and order again. Only visitors with a lost order succeed.
   */
  async "Redis loses its last writes"(fixture) {
    const server = await fixture.startServer();
    const quarter = Math.floor(fixture.places / 4);
    const first = await fixture.visitors(server, quarter);
    const second = await fixture.visitors(server, quarter);
    const waiting = await fixture.visitors(server, 3);
    await fixture.traffic(first);
    const folder = join(fixture.redis.dir, "appendonlydir");
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
    const pending = waiting.map((visitor) => fixture.like(visitor));
    await fixture.receiver.waitForRequests(calls + waiting.length);
    fixture.faults += 1;
    await fixture.redis.kill();
    truncateSync(file, size);
    await fixture.redis.restart();
    respond();
    for (const response of pending) expect((await response)?.status, "a lost order").not.toBe(200);
    fixture.serve();
    await fixture.untilNothingIsOpen();

    const likeAgain = async (visitor: Visitor) => {
      // Orders of the same flow have the same id.
      await giveFlow(visitor);
      return fixture.likeUntilFinal(visitor, [], `again-${visitor.options.address}`);
    };
    for (const { body } of await Promise.all(first.map(likeAgain))) expect(body.code).toBe("cooldown");
    for (const visitor of [...second, ...waiting]) await likeAgain(visitor);
    const forgotten = second.length + waiting.length;
    const extra = fixture.received.size - idsOf(await fixture.readOrders(), "accepted").length;
    expect(extra, "only lost orders exceed the budget").toBeLessThanOrEqual(forgotten);
    await fixture.audit({ forgotten });
  },

  /** Primary and replica swap roles as in a managed Redis. Open connections stay, and new ones reach the new primary. */
  async "a fail-over by hand, connections stay open"(fixture) {
    const replica = await startReplica(fixture);
    await duringOrders(fixture, {
      async run() {
        await fixture.store.exec(["FAILOVER", "TO", "127.0.0.1", replica.port, "TIMEOUT", 5_000]);
        await untilReplication(replica.redis, "role:master");
        fixture.proxy.connectTo(replica.port);
        fixture.store = replica.redis;
      },
    });
  },

  /** The primary dies, and a sentinel promotes its replica. */
  async "a fail-over by a sentinel"(fixture) {
    const replica = await startReplica(fixture);
    const sentinel = await fixture.keep(startSentinel("primary", fixture.redis.port));
    await sentinel.untilItKnowsAReplica();
    await duringOrders(fixture, {
      env: { REDIS_URL: "redis://primary", REDIS_SENTINELS: `127.0.0.1:${sentinel.port}` },
      losesWrites: true,
      async run() {
        await fixture.redis.kill();
        await untilReplication(replica.redis, "role:master");
        fixture.store = replica.redis;
      },
    });
  },

  /** Redis restarts, and responds LOADING while it reads its file. */
  async "Redis responds LOADING for 5 s"(fixture) {
    const keys = 2_000;
    const fill = "for n = 1, ARGV[1] do redis.call('SET', 'filler:' .. n, n, 'EX', 600) end";
    await fixture.store.eval(fill, [], [keys]);
    // Redis responds between two keys only while it loads a snapshot.
    await fixture.store.exec(["BGREWRITEAOF"]);
    const delayMicroseconds = Math.round((loadingSeconds * 1_000_000) / keys);
    await duringOrders(fixture, {
      async run(server) {
        await fixture.redis.kill();
        const loaded = fixture.redis.restart([
          ...["--key-load-delay", String(delayMicroseconds)],
          ...["--loading-process-events-interval-bytes", "1024"],
        ]);
        await expectUnhealthy(fixture, server, 3_000);
        await loaded;
      },
    });
  },

  /** Redis refuses writes because its memory is full. */
  "Redis is full, and has room again": (fixture) =>
    duringOrders(fixture, {
      async run(server) {
        await fixture.store.exec(["CONFIG", "SET", "maxmemory", "1"]);
        await expectUnhealthy(fixture, server, 1_000);
        // The calls from before the fault have ended.
        const calls = fixture.receiver.requests.length;
        const late = await fixture.visitors(server, 5);
        for (const response of await Promise.all(late.map((visitor) => fixture.like(visitor))))
          expect(response?.body.code).toBe("service_unavailable");
        expect(fixture.receiver.requests.length, "nothing is delivered").toBe(calls);
        const { status } = await new Visitor(server.url).get("/api/instagram/status");
        expect(status, "reads succeed").toBe(200);
        await fixture.store.exec(["CONFIG", "SET", "maxmemory", "0"]);
      },
    }),
};
