import "server-only";
import IORedis from "ioredis";
import type { Requester } from "@upstash/redis";
import { connectionError, redisDeadlineMs, redisErrorCode, type Answer, type Command } from "./answer";
import { createScriptRewriter } from "./upstash-scripts";

/**
 * Lets `@upstash/redis` talk to any Redis or Valkey over TCP: its `Requester` interface on an ioredis connection.
 * Answers within the deadline or rejects; a broken connection is retried once, which is safe because every script of
 * this product may run twice. Errors carry Redis's error code only: its messages may hold keys and values.
 *
 * @param url redis:// or rediss:// address
 */
export function createTcpRequester(url: string): Requester & { close(): void } {
  const connection = new IORedis(url, {
    protocol: 2,
    connectTimeout: 1_000,
    // All tries of a command together, and its wait for a connection.
    commandTimeout: redisDeadlineMs,
    // A connection on which nothing arrives for this long is dead, however alive TCP thinks it is.
    socketTimeout: 5_000,
    maxRetriesPerRequest: 1,
    retryStrategy: (attempt) => Math.min(attempt * 50, 500),
    disableClientInfo: true,
    enableReadyCheck: false,
    lazyConnect: true,
  });
  // Every failure reaches the caller of its command; without a listener ioredis prints each one.
  connection.on("error", () => undefined);
  const fitForRedis = createScriptRewriter();

  async function run(command: Command): Promise<Answer> {
    const [name = "", ...args] = fitForRedis(command);
    try {
      return { result: await connection.call(String(name), ...args) };
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      if (error.name === "ReplyError") return { error: redisErrorCode(error.message) };
      throw connectionError({ timedOut: error.message === "Command timed out" });
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
