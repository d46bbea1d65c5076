import "server-only";
import type { Requester } from "@upstash/redis";
import { connectionError, redisDeadlineMs, redisErrorCode, type Reply, type Command } from "./reply";
import { connect, type TcpSettings } from "./connect";
import { createScriptRewriter } from "./upstash-scripts";

/** Commands without a key. In a cluster, a hash tag in their arguments or `ledgerTag` selects the node. */
const keylessCommands = ["info", "keys", "ping", "scan", "time"];
const ledgerTag = "{likes}";

/**
 * Creates a requester that uses ioredis, for a redis:// or rediss:// URL. A request and its one retry end
 * within `redisDeadlineMs`. Errors contain only Redis's error code: messages may contain keys and values.
 */
export function createTcpRequester(
  url: string,
  options: Omit<TcpSettings, "url"> = {},
): Requester & { close(): void } {
  const connection = connect({ url, ...options });
  // Without a listener, ioredis prints connection errors. The failed commands already report these errors.
  connection.on("error", () => undefined);
  const isCluster = (options.clusterNodes ?? []).length > 0;
  const rewriteScript = createScriptRewriter();

  async function run(command: Command): Promise<Reply> {
    const [name = "", ...args] = isCluster ? addRoutingKey(rewriteScript(command)) : rewriteScript(command);
    try {
      const reply = connection.call(String(name), ...args);
      return { result: await (isCluster ? withDeadline(reply) : reply) };
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      if (error.name === "ReplyError") return { error: redisErrorCode(error.message) };
      throw connectionError({ timedOut: error.message === timeoutMessage });
    }
  }

  return {
    async request<T>({ path, body }: { path?: string[]; body?: unknown }): Promise<T> {
      const isPipeline = path?.[0] === "pipeline";
      return (await (isPipeline ? Promise.all((body as Command[]).map(run)) : run(body as Command))) as T;
    },
    close: () => connection.disconnect(),
  };
}

/** Error message of ioredis for a command that took longer than `commandTimeout`. */
const timeoutMessage = "Command timed out";

/** Rejects after the deadline. ioredis's `commandTimeout` does not include the search for cluster nodes. */
async function withDeadline<T>(reply: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(timeoutMessage)), redisDeadlineMs);
  });
  try {
    return await Promise.race([reply, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** Wraps a keyless command in a script with a key. ioredis would send a keyless command to a random node. */
function addRoutingKey(command: Command): Command {
  const [name, ...args] = command;
  if (!keylessCommands.includes(String(name).toLowerCase())) return command;
  const tag = /\{[^}]+\}/.exec(args.join(" "))?.[0] ?? ledgerTag;
  return ["eval", "return redis.call(unpack(ARGV))", 1, tag, ...command];
}
