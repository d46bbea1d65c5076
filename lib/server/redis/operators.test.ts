import { execFileSync } from "node:child_process";
import IORedis from "ioredis";
import { Redis } from "@upstash/redis";
import { makeCertificate } from "@/e2e/support/servers/certificate";
import { freePort } from "@/e2e/support/ports";
import { startRedisCluster, type RedisCluster } from "@/e2e/support/servers/redis-cluster";
import { startRedis, type RedisServer } from "@/e2e/support/servers/redis-server";
import { createInbox } from "@/lib/server/inbox/inbox";
import { createLedgerAdmin } from "@/lib/server/likes/ledger-admin";
import { createLedger } from "@/lib/server/likes/ledger";
import { newRequest, policy, reserveOrder } from "@/lib/server/likes/test-ledger";
import { checkConnection } from "./connection-check";
import { createTcpRequester } from "./tcp";

/* Tests users, databases, TLS and clusters on real servers. e2e/operators/faults.test.ts tests failovers. */

const closers: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closers.reverse()) await close();
});

function openRedis(...[url, options]: Parameters<typeof createTcpRequester>): Redis {
  const requester = createTcpRequester(url, options);
  closers.push(() => requester.close());
  return new Redis(requester);
}

describe("a Redis with users and databases", () => {
  const password = "p@ss/w:rd#?%&=+ü";
  let server: RedisServer;
  let admin: IORedis;
  const url = (user: string, secret: string, database = "") =>
    `redis://${encodeURIComponent(user)}:${encodeURIComponent(secret)}@127.0.0.1:${server.port}${database}`;

  beforeAll(async () => {
    server = await startRedis({ settings: ["--databases", "4"] });
    closers.push(() => server.stop());
    admin = new IORedis(server.url);
    closers.push(() => admin.disconnect());
    await admin.call("ACL", "SETUSER", "site@shop", "on", `>${password}`, "~*", "+@all");
  });

  it("accepts special characters in user and password, and selects the database of the URL", async () => {
    await openRedis(url("site@shop", password, "/3")).set("where", "three");
    await admin.select(3);
    expect(await admin.get("where")).toBe("three");
    await admin.select(0);
    expect(await admin.exists("where")).toBe(0);
  });

  it("never writes to database 0 when Redis rejects the configured database", async () => {
    const redis = openRedis(url("site@shop", password, "/9"));
    await expect(redis.set("lost", "1")).rejects.toThrow(/^ERR/);
    await expect(redis.set("lost", "1")).rejects.toThrow(/^ERR/);
    expect(await admin.exists("lost")).toBe(0);
  });

  it.each([
    ["a missing database", () => ({ url: url("site@shop", password, "/9") }), /database number/],
    ["a wrong password", () => ({ url: url("site@shop", "wrong") }), /user and password/],
    [
      "cluster settings for a single Redis",
      () => ({ url: server.url, clusterNodes: ["127.0.0.1:1"] }),
      /not a cluster/,
    ],
  ])("reports %s without the user and the password", async (_, settings, pattern) => {
    const message = await checkConnection(settings());
    expect(message).toMatch(pattern);
    expect(message).not.toContain("site");
  });

  it.each([
    ["correct settings", () => url("site@shop", password, "/3")],
    ["an unavailable Redis", () => "redis://127.0.0.1:1"],
  ])("reports no error for %s", async (_, address) => {
    expect(await checkConnection({ url: address() })).toBeNull();
  });
});

describe("a primary that has lost its role", () => {
  it.each(["READONLY", "NOREPLICAS"])(
    "repeats a command once on a new connection and then rejects with %s",
    async (code) => {
      const server = await startRedis();
      closers.push(() => server.stop());
      const admin = new IORedis(server.url);
      closers.push(() => admin.disconnect());
      const redis = openRedis(server.url);
      const script = "return redis.call('SET', KEYS[1], ARGV[1])";
      await redis.eval(script, ["key"], ["before"]);
      if (code === "READONLY") await admin.call("REPLICAOF", "127.0.0.1", "1");
      else await admin.config("SET", "min-replicas-to-write", 1);
      const connectionCount = async () =>
        Number(/total_connections_received:(\d+)/.exec(await admin.info("stats"))?.[1]);
      const before = await connectionCount();
      await expect(redis.set("key", "meanwhile")).rejects.toThrow(code);
      await expect(redis.eval(script, ["key"], ["meanwhile"])).rejects.toThrow(code);
      expect((await connectionCount()) - before).toBe(2);
      await admin.call("REPLICAOF", "NO", "ONE");
      await admin.config("SET", "min-replicas-to-write", 0);
      expect(await redis.eval(script, ["key"], ["after"])).toBe("OK");
    },
  );
});

describe("a Redis over TLS with a private certificate authority", () => {
  const certificate = makeCertificate();
  let port: number;
  /** Sends PING from a new process, because Node reads NODE_EXTRA_CA_CERTS only when a process starts. */
  function ping(authority: string | undefined): string {
    const program = `
      const { createTcpRequester } = require("./lib/server/redis/tcp");
      const requester = createTcpRequester("rediss://localhost:${port}");
      requester.request({ body: ["ping"] })
        .then(({ result }) => console.log(result), (error) => console.log(error.message))
        .then(() => process.exit(0));`;
    const flags = ["--conditions=react-server", "--import", "tsx", "--eval", program];
    const env = { ...process.env, NODE_TLS_REJECT_UNAUTHORIZED: "1", NODE_EXTRA_CA_CERTS: authority };
    return execFileSync(process.execPath, flags, { env, encoding: "utf8" }).trim();
  }

  beforeAll(async () => {
    const server = await startRedis();
    closers.push(() => server.stop(), certificate.remove);
    const admin = new IORedis(server.url);
    const { certificate: cert, key, authority } = certificate;
    const files = ["tls-cert-file", cert, "tls-key-file", key, "tls-ca-cert-file", authority];
    await admin.call("CONFIG", "SET", ...files);
    await admin.config("SET", "tls-auth-clients", "no");
    port = await freePort();
    await admin.config("SET", "tls-port", port);
    admin.disconnect();
  });

  it("is trusted only with NODE_EXTRA_CA_CERTS", () => {
    expect(ping(certificate.authority)).toBe("PONG");
    expect(ping(undefined)).toMatch(/^Redis (?:connection failed|did not answer in time)$/);
  });
});

describe("a cluster of three nodes", () => {
  let cluster: RedisCluster;
  let redis: Redis;
  beforeAll(async () => {
    cluster = await startRedisCluster();
    closers.push(() => cluster.stop());
    redis = openRedis(cluster.urls[0], { clusterNodes: cluster.addresses.slice(1) });
  });

  it("stores the ledger and the inbox, and lists accepted orders", async () => {
    const ledger = createLedger(redis, policy);
    const { id } = await ledger.settle(await reserveOrder(ledger));
    expect((await ledger.dailyUsage()).likesUsed).toBe(50);
    const found = [];
    for await (const order of createLedgerAdmin(redis, policy).listAccepted()) found.push(order.id);
    expect(found).toEqual([id]);
    const inbox = createInbox(redis, { retentionDays: 30, mailed: true });
    await inbox.store({
      form: "contact",
      fields: {},
      visitor: { addressHashes: ["a"], networks: [] },
      requestKey: "key",
      bodyHash: "h",
    });
    const [message] = await inbox.list();
    expect(message).toMatchObject({ form: "contact" });
    await inbox.remove(message?.id ?? "");
    expect(await inbox.list()).toEqual([]);
  });

  it("runs a pipeline with keys of several slots", async () => {
    const keys = ["a", "b", "c", "d", "e"];
    const pipeline = redis.pipeline();
    for (const key of keys) pipeline.set(key, key);
    for (const key of keys) pipeline.get(key);
    expect(await pipeline.exec()).toEqual([...keys.map(() => "OK"), ...keys]);
  });

  it("loses no order and enforces the cooldown while the ledger's slot migrates", async () => {
    const ledger = createLedger(redis, policy);
    const admin = createLedgerAdmin(redis, policy);
    const request = newRequest();
    const again = { ...request, flowId: "another" };
    const { id } = await ledger.settle(await reserveOrder(ledger, request));
    const move = await cluster.beginMoving("{likes}");
    const unavailable = { code: "service_unavailable" };
    await expect(admin.find(id)).rejects.toMatchObject(unavailable);
    await move.nextKeys(1);
    await expect(ledger.reserve(again)).rejects.toMatchObject(unavailable);
    await move.finish();
    expect(await admin.find(id)).toMatchObject({ id });
    expect((await ledger.reserve(again)).kind).toBe("cooldown");
  });

  it("is rejected by the connection check without REDIS_CLUSTER_NODES", async () => {
    expect(await checkConnection({ url: cluster.urls[0] })).toMatch(/REDIS_CLUSTER_NODES/);
    expect(await checkConnection({ url: cluster.urls[0], clusterNodes: cluster.addresses })).toBeNull();
  });
});
