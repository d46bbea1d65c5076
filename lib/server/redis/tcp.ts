import "server-only";
import type { Requester } from "@upstash/redis";
import { connectionError, redisDeadlineMs, redisErrorCode, type Reply, type Command } from "./reply";
import { connect, type TcpSettings } from "./connect";
import { createScriptRewriter } from "./upstash-scripts";

/**
 * Commands that have no key. In a cluster, a hash tag in the arguments selects the node. If the arguments
 * contain no hash tag, `ledgerTag` selects the node.
 */
const keylessCommands = ["info", "keys", "ping", "scan", "time"];
const ledgerTag = "{likes}";

/**
 * Creates an object that sends commands over TCP with ioredis, for a redis:// or rediss:// URL. A request and
 * its one retry together take at most `redisDeadlineMs`. Errors contain only Redis's error code, because the
 * messages may contain keys and values.
 */
export function createTcpRequester(
  url: string,
  options: Omit<TcpSettings, "url"> = {},
): Requester & { close(): void } {
  const connection = connect({ url, ...options });
  // Without an `error` listener, ioredis prints connection errors. The failed commands already report these
  // errors.
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

/** Error message of ioredis for a command that takes longer than the option `commandTimeout`. */
const timeoutMessage = "Command timed out";

/**
 * Rejects if the reply takes longer than `redisDeadlineMs`. The ioredis option `commandTimeout` does not
 * include the time to find cluster nodes.
 */
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

/**
 * Wraps a command without a key in a script with a key. Otherwise, ioredis would send the command to a random
 * node.
 */
function addRoutingKey(command: Command): Command {
  const [name, ...args] = command;
  if (!keylessCommands.includes(String(name).toLowerCase())) return command;
  const tag = /\{[^}]+\}/.exec(args.join(" "))?.[0] ?? ledgerTag;
  return ["eval", "return redis.call(unpack(ARGV))", 1, tag, ...command];
}
