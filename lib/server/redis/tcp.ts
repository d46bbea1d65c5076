import "server-only";
import IORedis from "ioredis";
import type { Requester } from "@upstash/redis";
import { redisErrorCode, type Answer, type Command } from "./answer";
import { withDeadline } from "./deadline";
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
      return { result: flatten(await connection.call(String(name), ...args)) };
    } catch (error) {
      if (isReplyError(error)) return { error: redisErrorCode(error.message) };
      throw new Error("Redis connection failed");
    }
  }

  async function request<T>({ path, body }: { path?: string[]; body?: unknown }): Promise<T> {
    const kind = path?.[0];
    if (kind === "pipeline" || kind === "multi-exec") {
      const commands = body as Command[];
      // ioredis writes commands in the order of the calls, on one connection: MULTI … EXEC stays together.
      if (kind === "pipeline") return (await Promise.all(commands.map(run))) as T;
      const [, answers] = await Promise.all([
        run(["multi"]),
        Promise.all([...commands.map(run), run(["exec"])]),
      ]);
      return readExec(answers) as T;
    }
    return (await run(body as Command)) as T;
  }

  return {
    request: (upstashRequest) => withDeadline(request(upstashRequest)),
    close: () => connection.disconnect(),
  };
}

/** The answers of a transaction as Upstash gives them: one `{result}` a command, or the error that kept it from running. */
function readExec(answers: Answer[]): Answer[] {
  const exec = answers.at(-1);
  if (!Array.isArray(exec?.result)) {
    const refused = answers.find((answer) => answer.error !== undefined);
    return answers.slice(0, -1).map(() => ({ error: refused?.error ?? "EXECABORT" }));
  }
  return exec.result.map((result: unknown) =>
    result instanceof Error ? { error: redisErrorCode(result.message) } : { result },
  );
}

/** ioredis turns HGETALL's answer into an object; `@upstash/redis` expects it as Redis sends it: a flat list. */
function flatten(result: unknown): unknown {
  const isPlainObject = typeof result === "object" && result !== null && !Array.isArray(result);
  return isPlainObject && !Buffer.isBuffer(result) ? Object.entries(result).flat() : result;
}

function isReplyError(error: unknown): error is Error {
  return error instanceof Error && error.name === "ReplyError";
}
