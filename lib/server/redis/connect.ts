import "server-only";
import IORedis, { type Cluster, type RedisOptions } from "ioredis";
import { redisAddress, sentinelPort } from "@/lib/config/redis-address";
import { redisDeadlineMs } from "./reply";

/** How a Redis over TCP is reached, as addresses that address.ts reads. */
export interface TcpSettings {
  /** The Redis; the name of the primary in place of its host, where there are sentinels. */
  url: string;
  /** Who knows where the primary is; all with the same user, password and scheme. */
  sentinels?: readonly string[];
  /** Other nodes of the cluster that `url` is a node of. */
  clusterNodes?: readonly string[];
}

const retryAfterMs = (attempt: number) => Math.min(attempt * 50, 500);

/**
 * What a Redis answers to writes when another one has become the primary, or when it is cut off from it, while its
 * connections stay open. Before Redis 7 a script's error has words before it.
 */
const failedOver = /^(?:ERR .*-)?(?:READONLY|MASTERDOWN|CLUSTERDOWN|NOREPLICAS)\b/;

/** Opens a connection when it is first used, and again whenever it breaks, to a Redis, by sentinels, or to a cluster. */
export function connect({ url, sentinels = [], clusterNodes = [] }: TcpSettings): IORedis | Cluster {
  const { host, port, database, ...access } = redisAddress(url);
  const options = optionsOf(access);
  if (clusterNodes.length > 0) return connectToCluster([url, ...clusterNodes], options);
  const place = sentinels.length > 0 ? sentinelOptions(host, sentinels, access.tls) : { host, port };
  const connection = new IORedis({
    ...options,
    ...place,
    db: database,
    reconnectOnError: createFailOverRule(),
  });
  refuseOtherDatabase(connection);
  return connection;
}

/**
 * Decides by a command's error: a new connection, which may find the new primary, and the command once more. That is
 * safe, since such an answer means that nothing was done. A second answer of the kind is the command's own.
 */
function createFailOverRule(): (error: Error & { command?: { args: object } }) => 2 | false {
  // ioredis sends the same command again, with the same list of arguments.
  const repeated = new WeakSet<object>();
  return ({ message, command }) => {
    if (!failedOver.test(message) || !command || repeated.has(command.args)) return false;
    repeated.add(command.args);
    return 2;
  };
}

function optionsOf({ tls, username, password }: { tls: boolean; username?: string; password?: string }) {
  return {
    username,
    password,
    ...(tls && { tls: {} }),
    // Whatever the name resolves to; ioredis by itself asks for IPv4 alone.
    family: 0,
    protocol: 2,
    connectTimeout: 1_000,
    // All tries of a command together, and its wait for a connection.
    commandTimeout: redisDeadlineMs,
    // A connection on which nothing arrives for this long is dead, however alive TCP thinks it is.
    socketTimeout: 5_000,
    maxRetriesPerRequest: 1,
    retryStrategy: retryAfterMs,
    disableClientInfo: true,
    enableReadyCheck: false,
    lazyConnect: true,
  } satisfies RedisOptions;
}

function sentinelOptions(name: string, urls: readonly string[], tls: boolean): RedisOptions {
  const sentinels = urls.map((url) => redisAddress(url, sentinelPort));
  const [first] = sentinels;
  return {
    name,
    sentinels: sentinels.map(({ host, port }) => ({ host, port, family: 0 })),
    sentinelUsername: first?.username,
    sentinelPassword: first?.password,
    ...(first?.tls && { sentinelTLS: {} }),
    enableTLSForSentinelMode: tls,
    sentinelRetryStrategy: retryAfterMs,
    sentinelCommandTimeout: 1_000,
  };
}

/** A cluster's client has its own ways with nodes that change their roles; each node is asked as a Redis of its own. */
function connectToCluster(urls: readonly string[], redisOptions: RedisOptions): Cluster {
  return new IORedis.Cluster(
    urls.map((url) => redisAddress(url)).map(({ host, port }) => ({ host, port })),
    {
      redisOptions,
      lazyConnect: true,
      clusterRetryStrategy: retryAfterMs,
      // Names stay names: certificates are made out to them.
      dnsLookup: (address, callback) => callback(null, address),
    },
  );
}

/**
 * ioredis goes on with database 0 when Redis refuses the configured one. An error that its listener throws fails the
 * connection instead, and all that waits for it; ioredis then reports that failure, too, by the same error.
 */
function refuseOtherDatabase(connection: IORedis): void {
  let thrown: unknown;
  connection.on("error", (error: Error & { command?: { name: string } }) => {
    if (error.command?.name !== "select" || error === thrown) return;
    thrown = error;
    throw error;
  });
}
