import IORedis from "ioredis";
import { createTcpRequester } from "@/lib/server/redis/tcp";
import type { AppServer } from "../support/servers/app-server";
import { startRedisCluster } from "../support/servers/redis-cluster";
import { startRedis } from "../support/servers/redis-server";
import { startSentinel } from "../support/servers/redis-sentinel";
import { until } from "../support/until";
import { audit, idsIn, readBooks, type Findings } from "./audit";
import { pause, type Shop } from "./shop";

/*
 * What operators do to Redis, and what Redis does to itself, while visitors order. The seconds until all is well count
 * from the moment at which some Redis takes writes again.
 */

const mostSecondsUntilWell = 5;
const loadingSeconds = 5;

interface Incident {
  /** Settings by which the servers reach Redis; the shop's proxy unless given. */
  env?: Record<string, string | undefined>;
  /** Lets it happen, and resolves when some Redis takes writes again; `server` is one of the product's. */
  happen: (server: AppServer) => Promise<void>;
  /** Writes that Redis had acknowledged may be gone. */
  losesWrites?: boolean;
  note?: string;
}

/** Lets visitors order, as many as there is room for, while something happens to Redis after a quarter of them. */
async function duringOrders(shop: Shop, { env, happen, losesWrites, note }: Incident): Promise<Findings> {
  const server = await shop.startServer({ env });
  shop.serve(() => pause(100));
  // A server that nothing but the incident befalls: connections are open before it.
  const work = shop.traffic(await shop.visitors(server, shop.places));
  const enough = Math.floor(shop.places / 4);
  await until(`${enough} are accepted`, () => shop.received.ids.size >= enough, 60_000);
  shop.faults += 1;
  await happen(server);
  const secondsUntilWell = await shop.secondsUntilWell(server);
  await work;
  const expected = {
    [`well within ${mostSecondsUntilWell} s`]: secondsUntilWell <= mostSecondsUntilWell,
    ...(!losesWrites && { "every place is taken": shop.received.ids.size === shop.places }),
  };
  const unknown = shop.received.ids.size - idsIn(await readBooks(shop), "accepted").length;
  const findings = await audit(shop, { forgotten: losesWrites ? Math.max(0, unknown) : 0, expected, note });
  return { ...findings, secondsUntilWell };
}

/** Primary and replica change roles as a managed Redis does it: no connection is closed, new ones find the new primary. */
export async function failOverByHand(shop: Shop): Promise<Findings> {
  const replica = await startReplica(shop);
  return duringOrders(shop, {
    async happen() {
      await shop.redis.exec(["FAILOVER", "TO", "127.0.0.1", replica.port, "TIMEOUT", 5_000]);
      await until("the replica is primary", () => isPrimary(replica.port));
      shop.proxy.leadTo(replica.port);
      shop.lookAt(createTcpRequester(replica.url));
    },
  });
}

/** The primary dies, and a sentinel makes its replica the primary. */
export async function failOverBySentinel(shop: Shop): Promise<Findings> {
  const replica = await startReplica(shop);
  const sentinel = await startSentinel("shop", shop.redisServer.port);
  shop.atClose(() => sentinel.stop());
  await sentinel.untilItKnowsAReplica();
  return duringOrders(shop, {
    env: { REDIS_URL: "redis://shop", REDIS_SENTINELS: `127.0.0.1:${sentinel.port}` },
    losesWrites: true,
    async happen() {
      await shop.redisServer.kill();
      await until("the replica is primary", () => isPrimary(replica.port));
      shop.lookAt(createTcpRequester(replica.url));
    },
  });
}

/** A cluster of three hands the ledger's slot from one node to another, key by key. */
export async function slotMoved(shop: Shop): Promise<Findings> {
  const cluster = await startRedisCluster();
  shop.atClose(() => cluster.stop());
  shop.lookAt(createTcpRequester(cluster.urls[0], { clusterNodes: cluster.addresses }));
  return duringOrders(shop, {
    env: { REDIS_URL: cluster.urls[0], REDIS_CLUSTER_NODES: cluster.addresses.slice(1).join(",") },
    happen: () => cluster.moveSlotOf("{likes}", 300),
  });
}

/** Redis is started again, and takes seconds to read its file; it answers LOADING meanwhile. */
export async function redisLoading(shop: Shop): Promise<Findings> {
  const keys = 2_000;
  await shop.redis.eval(
    "for n = 1, ARGV[1] do redis.call('SET', 'filler:' .. n, n, 'EX', 600) end",
    [],
    [keys],
  );
  // Read from a snapshot, Redis answers between any two keys.
  await shop.redis
    .exec(["CONFIG", "SET", "loading-process-events-interval-bytes", 1024])
    .catch(() => undefined);
  await shop.redis.exec(["BGREWRITEAOF"]);
  return duringOrders(shop, {
    async happen(server) {
      await shop.redisServer.kill();
      const delay = Math.round((loadingSeconds * 1_000_000) / keys);
      const loaded = shop.redisServer.restart([
        ...["--key-load-delay", String(delay), "--loading-process-events-interval-bytes", "1024"],
      ]);
      await expectUnwell(shop, server, 3_000);
      await loaded;
    },
  });
}

/** The primary has lost its replicas, and refuses to write without them. */
export async function tooFewReplicas(shop: Shop): Promise<Findings> {
  return duringOrders(shop, {
    async happen(server) {
      await shop.redis.exec(["CONFIG", "SET", "min-replicas-to-write", 1]);
      await expectUnwell(shop, server, 1_000);
      await shop.redis.exec(["CONFIG", "SET", "min-replicas-to-write", 0]);
    },
  });
}

/** Redis has no room for another write. */
export async function redisFull(shop: Shop): Promise<Findings> {
  return duringOrders(shop, {
    async happen(server) {
      await shop.withRedisFull(() => expectUnwell(shop, server, 1_000));
    },
  });
}

async function startReplica(shop: Shop) {
  const { port } = shop.redisServer;
  const replica = await startRedis({ appendOnly: true, settings: ["--replicaof", `127.0.0.1 ${port}`] });
  shop.atClose(() => replica.stop());
  await until("the replica follows", async () => /state=online/.test(await askInfo(port)));
  return replica;
}

/** The health check says so as long as nothing can be written. */
async function expectUnwell(shop: Shop, server: AppServer, ms: number): Promise<void> {
  const seen = [];
  for (const end = performance.now() + ms; performance.now() < end; await pause(100))
    seen.push(await shop.health(server));
  if (seen.some((status) => status !== 503)) throw new Error(`the health check said ${seen.join(", ")}`);
}

async function isPrimary(port: number): Promise<boolean> {
  return /role:master/.test(await askInfo(port));
}

/** On a connection of its own: who is asked changes its role meanwhile. */
async function askInfo(port: number): Promise<string> {
  const client = new IORedis(port, "127.0.0.1", { retryStrategy: null, lazyConnect: true });
  client.on("error", () => undefined);
  try {
    return await client.info("replication");
  } catch {
    return "";
  } finally {
    client.disconnect();
  }
}
