import "server-only";
import type { Requester } from "@upstash/redis";
import { withTimeout } from "@/lib/server/async/with-timeout";
import { connectionError, redisDeadlineMs, redisErrorCode, type Reply, type Command } from "./reply";
import { connect, type TcpSettings } from "./connect";

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
  // Without an `error` listener, ioredis prints connection errors. The failed commands already report these errors.
  connection.on("error", () => undefined);
  const isCluster = (options.clusterNodes ?? []).length > 0;

  async function run(command: Command): Promise<Reply> {
    const [name = "", ...args] = isCluster ? addRoutingKey(command) : command;
    try {
      const call = () => connection.call(String(name), ...args);
      // The ioredis option `commandTimeout` does not include the time to find cluster nodes.
      return { result: await (isCluster ? withTimeout(redisDeadlineMs, createTimeoutError, call) : call()) };
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
const createTimeoutError = () => new Error(timeoutMessage);

/** Wraps a command in a script with a key. Without a key, ioredis would send it to a random node. */
function addRoutingKey(command: Command): Command {
  const [name, ...args] = command;
  if (!keylessCommands.includes(String(name).toLowerCase())) return command;
  const tag = /\{[^}]+\}/.exec(args.join(" "))?.[0] ?? ledgerTag;
  return ["eval", "return redis.call(unpack(ARGV))", 1, tag, ...command];
}
