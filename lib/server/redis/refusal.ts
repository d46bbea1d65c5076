import "server-only";
import { redisDeadlineMs } from "./answer";
import { connect, type TcpSettings } from "./connect";

/**
 * What a Redis refuses for good with these settings, in words for whoever starts the server, or null. A Redis that is
 * not there, or not ready, refuses nothing: the server starts, and finds it later.
 */
export async function findRefusal(settings: TcpSettings): Promise<string | null> {
  const connection = connect(settings);
  const errors: unknown[] = [];
  connection.on("error", (error: unknown) => void errors.push(error, lastNodeErrorOf(error)));
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(""), redisDeadlineMs);
  });
  const asked = connection.call("INFO", "cluster").then(String, (error: unknown) => {
    errors.push(error);
    return "";
  });
  const info = await Promise.race([asked, late]);
  clearTimeout(timer);
  connection.disconnect();
  const isCluster = (settings.clusterNodes ?? []).length > 0;
  if (!isCluster && info.includes("cluster_enabled:1"))
    return "REDIS_URL: this Redis is a node of a cluster: name others of its nodes in REDIS_CLUSTER_NODES";
  return errors.map(describe).find((words) => words !== null) ?? null;
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
