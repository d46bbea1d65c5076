import { Redis, type Requester } from "@upstash/redis";
import { createRestRequester } from "@/lib/server/redis/rest";
import { createTcpRequester } from "@/lib/server/redis/tcp";
import { startRedisProxy } from "./servers/redis-proxy";
import { hasBinary, startRedis, type RedisServer } from "./servers/redis-server";
import { startUpstashServer } from "./servers/upstash-server";

/** A client on one transport to a Redis of its own, and what can go wrong between them. */
export interface TestTransport {
  redis: Redis;
  requester: Requester;
  server: RedisServer;
  /** The next command runs, and the connection breaks before its answer arrives; after that nothing answers if `thenHang`. */
  loseNextAnswer(options?: { thenHang?: boolean }): void;
  /** Every answer from the next command on comes this late. */
  delayAnswers(delayMs: number): void;
  /** From the next command on nothing is answered, although the connection stands. */
  hang(): void;
  /** All is well again. */
  heal(): void;
  stop(): Promise<void>;
}

/** Every transport of the product, for `describe.each`; a Valkey joins in where one is installed. */
export const testTransports: { name: string; start: () => Promise<TestTransport> }[] = [
  { name: "TCP", start: () => startTcp() },
  { name: "REST", start: () => startRest() },
  ...(hasBinary("valkey-server") ? [{ name: "TCP to Valkey", start: () => startTcp("valkey-server") }] : []),
];

async function startTcp(binary?: string): Promise<TestTransport> {
  const server = await startRedis({ binary });
  const proxy = await startRedisProxy(server.port);
  const requester = createTcpRequester(proxy.url);
  const matches = () => true;
  return {
    redis: new Redis(requester),
    requester,
    server,
    loseNextAnswer({ thenHang = false } = {}) {
      const hang = thenHang ? [{ matches, fault: "hold-answer" } as const] : [];
      proxy.set({ matches, fault: "lose-answer", times: 1 }, ...hang);
    },
    delayAnswers: (delayMs) => proxy.set({ matches, fault: { delayMs } }),
    hang: () => proxy.set({ matches, fault: "hold-answer" }),
    heal: () => proxy.set(),
    async stop() {
      requester.close();
      await proxy.stop();
      await server.stop();
    },
  };
}

async function startRest(): Promise<TestTransport> {
  const server = await startRedis();
  const upstash = await startUpstashServer(server.url);
  const requester = createRestRequester(upstash);
  return {
    redis: new Redis(requester),
    requester,
    server,
    loseNextAnswer({ thenHang = false } = {}) {
      if (thenHang) upstash.failAll("hang");
      upstash.failNext("lose-answer");
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
