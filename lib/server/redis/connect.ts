import "server-only";
import IORedis, { type RedisOptions } from "ioredis";
import { parseRedisAddress, defaultSentinelPort } from "@/lib/config/redis-address";
import { redisDeadlineMs } from "./reply";

/** Addresses for a TCP connection to Redis. lib/config/redis-address.ts defines their format. */
export interface TcpSettings {
  /** Address of Redis. With sentinels, the host is the sentinels' name for the primary. */
  url: string;
  /** Addresses of the sentinels. All must have the same user, password and scheme. */
  sentinels?: readonly string[];
}

const reconnectDelayMs = (attempt: number) => Math.min(attempt * 50, 500);

/** Matches Redis errors after a failover. Redis 6 puts "ERR ..." before the code of a script error. */
const failoverErrorPattern = /^(?:ERR .*-)?(?:READONLY|MASTERDOWN|NOREPLICAS)\b/;

/** Creates an ioredis client for one Redis or sentinels. It connects on its first command. */
export function connect({ url, sentinels = [] }: TcpSettings): IORedis {
  const { host, port, database, ...access } = parseRedisAddress(url);
  const options = connectionOptions(access);
  const target = sentinels.length > 0 ? sentinelOptions(host, sentinels, access.tls) : { host, port };
  const reconnectOnError = createFailoverRule();
  const connection = new IORedis({ ...options, ...target, db: database, reconnectOnError });
  failOnSelectError(connection);
  return connection;
}

/**
 * Creates the ioredis option `reconnectOnError`. After a failover error, ioredis reconnects and sends the
 * command once more. This is safe, because Redis did not run the command.
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
    // This timeout covers all attempts of a command, and the time until a connection exists.
    commandTimeout: redisDeadlineMs,
    // Closes the connection after 5 s without a reply. TCP alone may detect a dead connection much later.
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

/**
 * Fails all commands when Redis rejects the database number. ioredis would use database 0 instead. When this
 * listener throws, ioredis rejects the waiting commands and emits the same error again.
 */
function failOnSelectError(connection: IORedis): void {
  let thrown: unknown;
  connection.on("error", (error: Error & { command?: { name: string } }) => {
    if (error.command?.name !== "select" || error === thrown) return;
    thrown = error;
    throw error;
  });
}
