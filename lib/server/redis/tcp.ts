import "server-only";
import type { Requester } from "@upstash/redis";
import { connectionError, redisDeadlineMs, redisErrorCode, type Reply, type Command } from "./reply";
import { connect, type TcpSettings } from "./connect";
import { createScriptRewriter } from "./upstash-scripts";

/** Asked of a cluster, a command without a key is about the node that keeps the ledger, or the keys of this pattern. */
const keylessCommands = ["info", "keys", "ping", "scan", "time"];
const ledgerTag = "{likes}";

/**
 * Lets `@upstash/redis` talk to any Redis or Valkey over TCP: its `Requester` interface on an ioredis connection.
 * Answers within the deadline or rejects; a broken connection is retried once, which is safe because every script of
 * this product may run twice. Errors carry Redis's error code only: its messages may hold keys and values.
 *
 * @param url redis:// or rediss:// address
 */
export function createTcpRequester(
  url: string,
  others: Omit<TcpSettings, "url"> = {},
): Requester & { close(): void } {
  const connection = connect({ url, ...others });
  // Every failure reaches the caller of its command; without a listener ioredis prints each one.
  connection.on("error", () => undefined);
  const isCluster = (others.clusterNodes ?? []).length > 0;
  const fitForRedis = createScriptRewriter();

  async function run(command: Command): Promise<Reply> {
    const [name = "", ...args] = isCluster ? placed(fitForRedis(command)) : fitForRedis(command);
    try {
      const answer = connection.call(String(name), ...args);
      return { result: await (isCluster ? inTime(answer) : answer) };
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      if (error.name === "ReplyError") return { error: redisErrorCode(error.message) };
      throw connectionError({ timedOut: error.message === lateMessage });
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

/** ioredis's own words. */
const lateMessage = "Command timed out";

/** ioredis bounds a command on a connection, but not how long it waits for a cluster to be found. */
async function inTime<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(lateMessage)), redisDeadlineMs);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** ioredis sends a command without a key to any node; as a script with one it runs where that key would be. */
function placed(command: Command): Command {
  const [name, ...args] = command;
  if (!keylessCommands.includes(String(name).toLowerCase())) return command;
  const tag = /\{[^}]+\}/.exec(args.join(" "))?.[0] ?? ledgerTag;
  return ["eval", "return redis.call(unpack(ARGV))", 1, tag, ...command];
}
