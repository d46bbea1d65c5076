import "server-only";
import { redisDeadlineMs } from "./reply";
import { connect, type TcpSettings } from "./connect";

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
