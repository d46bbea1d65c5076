import IORedis from "ioredis";
import { freePort } from "../ports";
import { startRedis } from "./redis-server";
import { until } from "../until";

const slots = 16_384;
const keysAtOnce = 5;

export interface RedisCluster {
  readonly urls: [string, ...string[]];
  /** `host:port` of each node. */
  readonly addresses: string[];
  /** Starts to move the slot of a key to the next node. */
  beginMoving(key: string): Promise<Move>;
  stop(): Promise<void>;
}

export interface Move {
  /** Moves at most `count` keys. Returns the number of moved keys. */
  nextKeys(count: number): Promise<number>;
  /** Moves all remaining keys, and assigns the slot to its new node. */
  finish(): Promise<void>;
}

/** Starts a cluster of three primaries, each with a third of the slots. */
export async function startRedisCluster(): Promise<RedisCluster> {
  // By default, the bus port is the port plus 10000, which may exceed 65535.
  const buses = await Promise.all([0, 1, 2].map(() => freePort()));
  const servers = await Promise.all(buses.map((bus) => startRedis({ settings: settingsOf(bus) })));
  const clients = servers.map(({ port }) => new IORedis(port, "127.0.0.1"));
  const share = Math.ceil(slots / clients.length);
  for (const [n, client] of clients.entries()) {
    const last = Math.min(slots, (n + 1) * share) - 1;
    await client.call("CLUSTER", "ADDSLOTSRANGE", n * share, last);
    await client.call("CLUSTER", "SET-CONFIG-EPOCH", n + 1);
  }
  const [first] = clients;
  if (!first) throw new Error("the cluster has no node");
  for (const [n, { port }] of servers.entries())
    if (n > 0) await first.call("CLUSTER", "MEET", "127.0.0.1", port, buses[n] ?? 0);
  for (const client of clients) {
    await until("the node reports a healthy cluster", async () => {
      const info = String(await client.call("CLUSTER", "INFO"));
      return info.includes("cluster_state:ok") && info.includes(`cluster_known_nodes:${clients.length}`);
    });
  }
  return {
    urls: servers.map(({ url }) => url) as [string, ...string[]],
    addresses: servers.map(({ port }) => `127.0.0.1:${port}`),
    beginMoving: (key) => beginMoving(clients, key),
    async stop() {
      for (const client of clients) client.disconnect();
      await Promise.all(servers.map((server) => server.stop()));
    },
  };
}

function settingsOf(bus: number): string[] {
  return ["--cluster-enabled", "yes", "--cluster-node-timeout", "2000", "--cluster-port", String(bus)];
}

/** Sends the same commands as `redis-cli --cluster reshard`. */
async function beginMoving(clients: IORedis[], key: string): Promise<Move> {
  const slot = Number(await clients[0]?.call("CLUSTER", "KEYSLOT", key));
  const at = Math.floor(slot / Math.ceil(slots / clients.length));
  const [from, to] = [clients[at], clients[(at + 1) % clients.length]];
  if (!from || !to) throw new Error(`no node has slot ${slot}`);
  const [fromId, toId] = await Promise.all([from, to].map((node) => node.call("CLUSTER", "MYID")));
  await to.call("CLUSTER", "SETSLOT", slot, "IMPORTING", String(fromId));
  await from.call("CLUSTER", "SETSLOT", slot, "MIGRATING", String(toId));

  async function nextKeys(count: number): Promise<number> {
    const keys = (await from?.call("CLUSTER", "GETKEYSINSLOT", slot, count)) as string[];
    if (keys.length > 0)
      await from?.call("MIGRATE", "127.0.0.1", Number(to?.options.port), "", 0, 1_000, "KEYS", ...keys);
    return keys.length;
  }
  return {
    nextKeys,
    async finish() {
      while ((await nextKeys(keysAtOnce)) > 0);
      for (const node of [to, from]) await node.call("CLUSTER", "SETSLOT", slot, "NODE", String(toId));
    },
  };
}
