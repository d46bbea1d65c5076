import { setTimeout as pause } from "node:timers/promises";
import type { Redis } from "@upstash/redis";
import type { AppServer } from "@/testing/servers/app-server";
import { startRedis } from "@/testing/servers/redis-server";
import { startSentinel } from "@/testing/servers/redis-sentinel";
import { until } from "@/testing/until";
import { Visitor } from "@/testing/visitor";
import { audit, idsOf, readOrders, type Findings, type Scenario } from "./audit";
import type { Fixture } from "./fixture";

/** Changes of a Redis in operation. */
export const redisOperations: Scenario[] = [
  { name: "a fail-over by hand, connections stay open", run: failOverByHand },
  { name: "a fail-over by a sentinel", run: failOverBySentinel },
  { name: "Redis responds LOADING for 5 s", run: redisLoading },
  { name: "Redis is full, and has room again", run: redisFull },
];

const maxSecondsUntilHealthy = 5;
const loadingSeconds = 5;

interface Operation {
  /** Settings for a Redis other than the fixture's. */
  env?: Record<string, string | undefined>;
  /** Resolves when Redis accepts writes again, with more invariants if there are any. */
  run: (server: AppServer) => Promise<Record<string, boolean> | void>;
  losesWrites?: boolean;
}

/** Visitors use up the budget. The operation runs after half of the orders. */
async function duringOrders(fixture: Fixture, { env, run, losesWrites }: Operation): Promise<Findings> {
  const server = await fixture.startServer({ env });
  fixture.serve(() => pause(300));
  let expected: Record<string, boolean> = {};
  let secondsUntilHealthy = 0;
  await fixture.traffic(await fixture.visitors(server, fixture.places), 1, async () => {
    expected = (await run(server)) ?? {};
    secondsUntilHealthy = await measureRecovery(fixture, server);
  });
  const { size } = fixture.received.ids;
  const unknown = size - idsOf(await readOrders(fixture), "accepted").length;
  const findings = await audit(fixture, {
    forgotten: losesWrites ? Math.max(0, unknown) : 0,
    expected: {
      ...expected,
      [`healthy within ${maxSecondsUntilHealthy} s`]: secondsUntilHealthy <= maxSecondsUntilHealthy,
      "the budget is used up": losesWrites === true || size === fixture.places,
    },
  });
  return { ...findings, secondsUntilHealthy };
}

/** Waits until the deep health check and a new visitor succeed. Returns the seconds. */
async function measureRecovery(fixture: Fixture, server: AppServer): Promise<number> {
  const startedAt = performance.now();
  await until("the server is healthy", async () => (await fixture.health(server)) === 200, 20_000);
  const visitor = new Visitor(server.url);
  const verify = async () => {
    const token = await visitor.solveCaptcha();
    return (await fixture.send(() => visitor.post("/api/recaptcha/verify", { token })))?.status === 200;
  };
  await until("a visitor passes the captcha", verify, 20_000);
  return Math.round(performance.now() - startedAt) / 1_000;
}

/** Primary and replica swap roles as in a managed Redis. Open connections stay, and new ones reach the new primary. */
async function failOverByHand(fixture: Fixture): Promise<Findings> {
  const replica = await startReplica(fixture);
  return duringOrders(fixture, {
    async run() {
      await fixture.redis.exec(["FAILOVER", "TO", "127.0.0.1", replica.port, "TIMEOUT", 5_000]);
      await untilReplication(replica.redis, "role:master");
      fixture.proxy.connectTo(replica.port);
      fixture.redis = replica.redis;
    },
  });
}

/** The primary dies, and a sentinel promotes its replica. */
async function failOverBySentinel(fixture: Fixture): Promise<Findings> {
  const { servers } = fixture;
  const replica = await startReplica(fixture);
  const sentinel = await servers.keep(startSentinel("primary", servers.redis.port));
  await sentinel.untilItKnowsAReplica();
  return duringOrders(fixture, {
    env: { REDIS_URL: "redis://primary", REDIS_SENTINELS: `127.0.0.1:${sentinel.port}` },
    losesWrites: true,
    async run() {
      await servers.redis.kill();
      await untilReplication(replica.redis, "role:master");
      fixture.redis = replica.redis;
    },
  });
}

/** Redis restarts, and responds LOADING while it reads its file. */
async function redisLoading(fixture: Fixture): Promise<Findings> {
  const keys = 2_000;
  const fill = "for n = 1, ARGV[1] do redis.call('SET', 'filler:' .. n, n, 'EX', 600) end";
  await fixture.redis.eval(fill, [], [keys]);
  // Redis responds between two keys only while it loads a snapshot.
  await fixture.redis.exec(["BGREWRITEAOF"]);
  const delayMicroseconds = Math.round((loadingSeconds * 1_000_000) / keys);
  return duringOrders(fixture, {
    async run(server) {
      await fixture.servers.redis.kill();
      const loaded = fixture.servers.redis.restart([
        ...["--key-load-delay", String(delayMicroseconds)],
        ...["--loading-process-events-interval-bytes", "1024"],
      ]);
      await expectUnhealthy(fixture, server, 3_000);
      await loaded;
    },
  });
}

/** Redis refuses writes because its memory is full. */
async function redisFull(fixture: Fixture): Promise<Findings> {
  return duringOrders(fixture, {
    run: (server) =>
      fixture.withRedisFull(async () => {
        await expectUnhealthy(fixture, server, 1_000);
        // The calls from before the fault have ended.
        const calls = fixture.receiver.requests.length;
        const late = await fixture.visitors(server, 5);
        const responses = await Promise.all(late.map((visitor) => fixture.like(visitor)));
        const visitor = new Visitor(server.url);
        const status = await fixture.send(() => visitor.get("/api/instagram/status"));
        return {
          "writes get 503": responses.every((response) => response?.body.code === "service_unavailable"),
          "nothing is delivered": fixture.receiver.requests.length === calls,
          "reads succeed": status?.status === 200,
        };
      }),
  });
}

async function startReplica({ servers, redis }: Fixture): Promise<{ port: number; redis: Redis }> {
  // By default, Redis waits 5 s for further replicas.
  await redis.exec(["CONFIG", "SET", "repl-diskless-sync-delay", 0]);
  const settings = ["--appendonly", "yes", "--replicaof", `127.0.0.1 ${servers.redis.port}`];
  const replica = await servers.keep(startRedis({ settings }));
  await untilReplication(redis, "state=online");
  return { port: replica.port, redis: await servers.openRedis(replica.url) };
}

/** Waits until the section "replication" of INFO contains `text`. */
function untilReplication(redis: Redis, text: string): Promise<void> {
  const read = () => redis.exec<string>(["INFO", "replication"]).catch(() => "");
  return until(text, async () => (await read()).includes(text));
}

/** Expects 503 from the deep health check for so many milliseconds. */
async function expectUnhealthy(fixture: Fixture, server: AppServer, ms: number): Promise<void> {
  const statuses = [];
  for (const end = performance.now() + ms; performance.now() < end; await pause(100))
    statuses.push(await fixture.health(server));
  if (statuses.some((status) => status !== 503))
    throw new Error(`the health check sent ${statuses.join(", ")}`);
}
