import type { Requester } from "@upstash/redis";
import { RedisClient } from "@/lib/server/redis/client";
import { createRestRequester } from "@/lib/server/redis/rest";
import { createTcpRequester } from "@/lib/server/redis/tcp";
import { findCommand } from "@/scripts/lib/programs.mjs";
import { startRedisProxy } from "./servers/redis-proxy";
import { startRedis } from "./servers/redis-server";
import { startUpstashServer } from "./servers/upstash-server";

/** A client, its own Redis server, and methods that disturb the connection between them. */
export type TestTransport = Awaited<ReturnType<typeof startTcp>>;

/** The transports of the product, for `describe.each`. Valkey is included if it is installed. */
export const testTransports = [
  { name: "TCP", start: () => startTcp() },
  { name: "REST", start: startRest },
  ...(findCommand("valkey-server")
    ? [{ name: "TCP to Valkey", start: () => startTcp("valkey-server") }]
    : []),
];

/** Starts a transport before the tests of a block, by default over TCP. Empties its Redis before each test. */
export function useTransport(start = testTransports[0]!.start): TestTransport {
  const transport = {} as TestTransport;
  beforeAll(async () => void Object.assign(transport, await start()));
  beforeEach(() => transport.redis.flushall());
  afterAll(() => transport.stop());
  return transport;
}

/** After a restart, the server has the same data. */
const settings = ["--appendonly", "yes"];

async function startTcp(binary?: string) {
  const server = await startRedis({ binary, settings });
  const proxy = await startRedisProxy(server.port);
  const requester = createTcpRequester(proxy.url);
  const matches = () => true;
  return {
    redis: new RedisClient(requester),
    requester: requester as Requester,
    server,
    /** Redis runs the next command, but its response is lost. With `thenHang`, later commands get no response. */
    loseNextAnswer({ thenHang = false } = {}) {
      const hang = thenHang ? [{ matches, fault: "hold-response" } as const] : [];
      proxy.set({ matches, fault: "lose-response", times: 1 }, ...hang);
    },
    /** Delays all later responses. */
    delayAnswers: (delayMs: number) => proxy.set({ matches, fault: { delayMs } }),
    /** Holds all later responses back, without closing the connection. */
    hang: () => proxy.set({ matches, fault: "hold-response" }),
    /** Ends the disturbance. */
    heal: () => proxy.set(),
    async stop() {
      requester.close();
      await proxy.stop();
      await server.stop();
    },
  };
}

async function startRest(): Promise<TestTransport> {
  const server = await startRedis({ settings });
  const upstash = await startUpstashServer(server.url);
  const requester = createRestRequester(upstash);
  return {
    redis: new RedisClient(requester),
    requester,
    server,
    loseNextAnswer({ thenHang = false } = {}) {
      if (thenHang) upstash.failAll("hang");
      upstash.failNext("lose-response");
    },
    delayAnswers: (delayMs) => upstash.failAll({ delayMs }),
    hang: () => upstash.failAll("hang"),
    heal: () => upstash.failAll(null),
    async stop() {
      await upstash.stop();
      await server.stop();
    },
  };
}
