import "server-only";
import type { Requester } from "@upstash/redis";
import { connectionError, redisErrorCode, type Reply, type Command } from "./reply";
import { connect, type TcpSettings } from "./connect";

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

  async function run(command: Command): Promise<Reply> {
    const [name = "", ...args] = command;
    try {
      return { result: await connection.call(String(name), ...args) };
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
