import { execFileSync } from "node:child_process";
import IORedis from "ioredis";
import { Redis } from "@upstash/redis";
import { makeCertificate } from "@/testing/servers/certificate";
import { freePort } from "@/scripts/lib/ports.mjs";
import { startRedis, type RedisServer } from "@/testing/servers/redis-server";
import { checkConnection } from "./connect";
import { createTcpRequester } from "./tcp";

/* Tests users, databases and TLS on real servers. e2e/faults/faults.test.ts tests failovers. */

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
    ["a missing database", () => url("site@shop", password, "/9"), /database number/],
    ["a wrong password", () => url("site@shop", "wrong"), /user and password/],
    ["correct settings", () => url("site@shop", password, "/3"), null],
    ["an unavailable Redis", () => "redis://127.0.0.1:1", null],
  ])("checks the connection with %s, and names no user", async (_, address, problem) => {
    const message = await checkConnection({ url: address() });
    if (problem) expect(message).toMatch(problem);
    else expect(message).toBeNull();
    expect(message ?? "").not.toContain("site");
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

describe("a Redis over TLS with a private certificate", () => {
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
    const { certificate: cert, key } = certificate;
    const files = ["tls-cert-file", cert, "tls-key-file", key, "tls-ca-cert-file", cert];
    await admin.call("CONFIG", "SET", ...files);
    await admin.config("SET", "tls-auth-clients", "no");
    port = await freePort();
    await admin.config("SET", "tls-port", port);
    admin.disconnect();
  });

  it("is trusted only with NODE_EXTRA_CA_CERTS", () => {
    expect(ping(certificate.certificate)).toBe("PONG");
    expect(ping(undefined)).toMatch(/^Redis (?:connection failed|did not answer in time)$/);
  });
});

it("rejects a node of a cluster in the connection check", async () => {
  const node = await startRedis({ settings: ["--cluster-enabled", "yes"] });
  closers.push(() => node.stop());
  expect(await checkConnection({ url: node.url })).toMatch(/node of a cluster/);
});
