import "server-only";
import { createHash } from "node:crypto";
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
  const rewriteScript = createScriptRewriter();

  async function run(command: Command): Promise<Reply> {
    const [name = "", ...args] = rewriteScript(command);
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

/** Matches the first line of the scripts in @upstash/ratelimit. Other Redis servers reject this line. */
const upstashShebang = /^#!lua flags=allow-key-locking\s*\n/;

/** Creates a function that removes the Upstash line from EVAL scripts and replaces their EVALSHA hashes. */
export function createScriptRewriter(): (command: Command) => Command {
  const rewrittenHashes = new Map<string, string>();
  return (command) => {
    const [name, script, ...rest] = command;
    const verb = String(name).toLowerCase();
    if (verb === "evalsha" && typeof script === "string")
      return [verb, rewrittenHashes.get(script) ?? script, ...rest];
    if (verb !== "eval" || typeof script !== "string" || !upstashShebang.test(script)) return command;
    const stripped = script.replace(upstashShebang, "");
    rewrittenHashes.set(sha1(script), sha1(stripped));
    return [verb, stripped, ...rest];
  };
}

function sha1(text: string): string {
  return createHash("sha1").update(text).digest("hex");
}
