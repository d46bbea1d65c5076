import "server-only";
import { createHash } from "node:crypto";
import IORedis from "ioredis";
import type { Requester } from "@upstash/redis";
import { redisDeadlineMs } from "./deadline";

type Command = readonly (string | number)[];
type Answer = { result?: unknown; error?: string };

/** @upstash/ratelimit puts this line on its scripts; only Upstash knows the flag, Redis answers "Unexpected flag". */
const upstashShebang = /^#!lua flags=allow-key-locking\s*\n/;

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
  const rewrittenHashes = new Map<string, string>();

  async function run(command: Command): Promise<Answer> {
    const [name = "", ...args] = rewriteScript(command, rewrittenHashes);
    try {
      return { result: flatten(await connection.call(String(name), ...args)) };
    } catch (error) {
      if (isReplyError(error)) return { error: error.message.split(/[\s:]/, 1)[0] ?? "ERR" };
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
    request: (upstashRequest) => withDeadline(request(upstashRequest), redisDeadlineMs),
    close: () => connection.disconnect(),
  };
}

/** Strips Upstash's own script flag, and remembers under which hash Redis knows the script that is left. */
function rewriteScript(command: Command, rewrittenHashes: Map<string, string>): Command {
  const [name, script, ...rest] = command;
  const verb = String(name).toLowerCase();
  if (verb === "evalsha" && typeof script === "string") {
    return [verb, rewrittenHashes.get(script) ?? script, ...rest];
  }
  if (verb !== "eval" || typeof script !== "string" || !upstashShebang.test(script)) return command;
  const stripped = script.replace(upstashShebang, "");
  rewrittenHashes.set(sha1(script), sha1(stripped));
  return [verb, stripped, ...rest];
}

/** The answers of a transaction as Upstash gives them: one `{result}` a command, or the error that kept it from running. */
function readExec(answers: Answer[]): Answer[] {
  const exec = answers.at(-1);
  if (!Array.isArray(exec?.result)) {
    const refused = answers.find((answer) => answer.error !== undefined);
    return answers.slice(0, -1).map(() => ({ error: refused?.error ?? "EXECABORT" }));
  }
  return exec.result.map((result: unknown) =>
    result instanceof Error ? { error: result.message.split(/[\s:]/, 1)[0] ?? "ERR" } : { result },
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

function sha1(text: string): string {
  return createHash("sha1").update(text).digest("hex");
}

async function withDeadline<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  try {
    return await Promise.race([
      work,
      new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error("Redis did not answer in time")), milliseconds);
      }),
    ]);
  } finally {
    clearTimeout(timer);
  }
}
