import "server-only";
import IORedis, { type RedisOptions } from "ioredis";
import { parseRedisAddress, defaultSentinelPort } from "@/lib/config/redis-address";
import type { Env } from "@/lib/server/config/env";
import { redisDeadlineMs } from "./reply";

/** With sentinels, the host of `url` is their name for the primary. All sentinels must have the same login and scheme. */
export type TcpSettings = Partial<Omit<Extract<Env["redis"], { kind: "tcp" }>, "kind">> & { url: string };

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

const clusterProblem =
  "REDIS_URL: this Redis is a node of a cluster, which the site does not support: use a Redis that is not part of one";

/**
 * Tests the settings with a connection to Redis. Returns a message if a setting is wrong. Returns null if the
 * settings work, and also if Redis is unreachable, unless `describeOther` returns a message for that error.
 */
export async function checkConnection(
  settings: TcpSettings,
  describeOther: (error: Error) => string | null = () => null,
): Promise<string | null> {
  const connection = connect(settings);
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise((resolve) => {
      timer = setTimeout(() => resolve(null), redisDeadlineMs);
      const resolveIfPermanent = (error: unknown) => {
        const message = describeReply(error) ?? (error instanceof Error ? describeOther(error) : null);
        if (message !== null) resolve(message);
      };
      connection.on("error", resolveIfPermanent);
      // ioredis reports here that a sentinel does not know the name.
      connection.on("sentinelError", resolveIfPermanent);
      connection.call("INFO", "cluster").then(
        (info) => resolve(String(info).includes("cluster_enabled:1") ? clusterProblem : null),
        (error: unknown) => {
          resolveIfPermanent(error);
          resolve(null);
        },
      );
    });
  } finally {
    clearTimeout(timer);
    connection.disconnect();
  }
}

function describeReply(error: unknown): string | null {
  if (!(error instanceof Error) || error.name !== "ReplyError") return null;
  const { command, message } = error as Error & { command?: { name: string } };
  if (message.startsWith("NOAUTH")) return "REDIS_URL: this Redis needs a password";
  if (message.startsWith("WRONGPASS") || message.includes("invalid username-password"))
    return "REDIS_URL: Redis does not accept this user and password";
  if (command?.name === "select" && !message.startsWith("LOADING"))
    return "REDIS_URL: Redis refuses this database number; name one that it has, or none";
  return null;
}
