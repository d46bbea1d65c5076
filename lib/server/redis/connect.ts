import "server-only";
import IORedis, { type Cluster, type RedisOptions } from "ioredis";
import { parseRedisAddress, defaultSentinelPort } from "@/lib/config/redis-address";
import { redisDeadlineMs } from "./reply";

/** Addresses of a Redis over TCP, in the format of lib/config/redis-address.ts. */
export interface TcpSettings {
  /** Address of Redis. With sentinels, the host is the name of the primary. */
  url: string;
  /** Addresses of the sentinels, all with the same user, password and scheme. */
  sentinels?: readonly string[];
  /** Addresses of other nodes in the cluster of `url`. */
  clusterNodes?: readonly string[];
}

const reconnectDelayMs = (attempt: number) => Math.min(attempt * 50, 500);

/** Matches write errors of a Redis that is no longer primary. Before Redis 7, script errors have a prefix. */
const failoverErrorPattern = /^(?:ERR .*-)?(?:READONLY|MASTERDOWN|CLUSTERDOWN|NOREPLICAS)\b/;

/** Creates a client for a single Redis, sentinels or a cluster. The client connects on its first command. */
export function connect({ url, sentinels = [], clusterNodes = [] }: TcpSettings): IORedis | Cluster {
  const { host, port, database, ...access } = parseRedisAddress(url);
  const options = connectionOptions(access);
  if (clusterNodes.length > 0) return connectToCluster([url, ...clusterNodes], options);
  const target = sentinels.length > 0 ? sentinelOptions(host, sentinels, access.tls) : { host, port };
  const reconnectOnError = createFailoverRule();
  const connection = new IORedis({ ...options, ...target, db: database, reconnectOnError });
  failOnSelectError(connection);
  return connection;
}

/**
 * Creates `reconnectOnError` of ioredis. After a failover error, ioredis reconnects and repeats the command
 * once. A repetition is safe, because Redis has not run the command.
 */
function createFailoverRule(): (error: Error & { command?: { args: object } }) => 2 | false {
  // ioredis repeats a command with the same array of arguments, so the array identifies the command.
  const repeated = new WeakSet<object>();
  return ({ message, command }) => {
    if (!failoverErrorPattern.test(message) || !command || repeated.has(command.args)) return false;
    repeated.add(command.args);
    return 2;
  };
}

function connectionOptions({ tls, ...login }: { tls: boolean; username?: string; password?: string }) {
  return {
    ...login,
    ...(tls && { tls: {} }),
    // Allows IPv4 and IPv6. By default, ioredis resolves names to IPv4 addresses only.
    family: 0,
    protocol: 2,
    connectTimeout: 1_000,
    // Covers all attempts of a command and the wait for a connection.
    commandTimeout: redisDeadlineMs,
    // Closes a connection that sends no reply for 5 s, because TCP may not detect a dead connection.
    socketTimeout: 5_000,
    maxRetriesPerRequest: 1,
    retryStrategy: reconnectDelayMs,
    disableClientInfo: true,
    enableReadyCheck: false,
    lazyConnect: true,
  } satisfies RedisOptions;
}

function sentinelOptions(name: string, urls: readonly string[], tls: boolean): RedisOptions {
  const sentinels = urls.map((url) => parseRedisAddress(url, defaultSentinelPort));
  const [first] = sentinels;
  return {
    name,
    sentinels: sentinels.map(({ host, port }) => ({ host, port, family: 0 })),
    sentinelUsername: first?.username,
    sentinelPassword: first?.password,
    ...(first?.tls && { sentinelTLS: {} }),
    enableTLSForSentinelMode: tls,
    sentinelRetryStrategy: reconnectDelayMs,
    sentinelCommandTimeout: 1_000,
  };
}

/** Creates a cluster client, which handles failovers by itself. */
function connectToCluster(urls: readonly string[], redisOptions: RedisOptions): Cluster {
  return new IORedis.Cluster(
    urls.map((url) => parseRedisAddress(url)).map(({ host, port }) => ({ host, port })),
    {
      redisOptions,
      lazyConnect: true,
      clusterRetryStrategy: reconnectDelayMs,
      // Keeps host names instead of IP addresses, because TLS certificates contain host names.
      dnsLookup: (address, callback) => callback(null, address),
    },
  );
}

/**
 * Fails the connection when Redis rejects the configured database: ioredis would continue with database 0.
 * Throwing in the listener fails all waiting commands. ioredis then emits the same error again.
 */
function failOnSelectError(connection: IORedis): void {
  let thrown: unknown;
  connection.on("error", (error: Error & { command?: { name: string } }) => {
    if (error.command?.name !== "select" || error === thrown) return;
    thrown = error;
    throw error;
  });
}
