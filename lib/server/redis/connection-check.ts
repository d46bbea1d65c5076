import "server-only";
import { redisDeadlineMs } from "./reply";
import { connect, type TcpSettings } from "./connect";

/**
 * What a Redis refuses for good with these settings, in words for whoever starts the server, or null. A Redis that is
 * not there, or not ready, refuses nothing: the server starts, and finds it later.
 */
export async function checkConnection(settings: TcpSettings): Promise<string | null> {
  const connection = connect(settings);
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise((resolve) => {
      timer = setTimeout(() => resolve(null), redisDeadlineMs);
      const refuse = (error: unknown) => {
        const words = describe(error) ?? describe(lastNodeErrorOf(error));
        if (words !== null) resolve(words);
      };
      connection.on("error", refuse);
      connection.call("INFO", "cluster").then(
        (info) => resolve(describeKind(String(info), settings)),
        (error: unknown) => {
          refuse(error);
          resolve(null);
        },
      );
    });
  } finally {
    clearTimeout(timer);
    connection.disconnect();
  }
}

function describeKind(info: string, { clusterNodes = [] }: TcpSettings): string | null {
  return clusterNodes.length === 0 && info.includes("cluster_enabled:1")
    ? "REDIS_URL: this Redis is a node of a cluster: name others of its nodes in REDIS_CLUSTER_NODES"
    : null;
}

/** Why a cluster's client could use none of the nodes. */
function lastNodeErrorOf(error: unknown): unknown {
  return error instanceof Error && "lastNodeError" in error ? error.lastNodeError : null;
}

function describe(error: unknown): string | null {
  if (!(error instanceof Error) || error.name !== "ReplyError") return null;
  const { command, message } = error as Error & { command?: { name: string } };
  if (/^(?:WRONGPASS|NOAUTH)\b/.test(message) || message.includes("invalid username-password"))
    return "REDIS_URL: Redis does not accept this user and password";
  if (message.includes("cluster support disabled"))
    return "REDIS_CLUSTER_NODES: this Redis is not a cluster; unset it";
  if (command?.name === "select" && !message.startsWith("LOADING"))
    return "REDIS_URL: Redis refuses this database number; name one that it has, or none";
  return null;
}
