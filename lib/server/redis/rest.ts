import "server-only";
import { Redis, type Requester } from "@upstash/redis";
import { connectionError, redisDeadlineMs, redisErrorCode, type Reply } from "./reply";

/** Gives access to the HTTP requester of `@upstash/redis`. The library does not export it. */
class HttpRedis extends Redis {
  get requester(): Requester {
    return this.client;
  }
}

/** Creates a requester for Upstash's REST API. It behaves like the TCP requester (docs/decisions/0008). */
export function createRestRequester({ url, token }: { url: string; token: string }): Requester {
  const http = new HttpRedis({
    url,
    token,
    enableTelemetry: false,
    // With automatic pipelining, a slow command would delay others, and `requester` would not be accessible.
    enableAutoPipelining: false,
    retry: { retries: 1, backoff: () => 50 },
    // The library calls `signal` once per request, so the signal covers both attempts and the body. If
    // `signal` were an AbortSignal, the library would resolve an aborted request instead of rejecting it.
    signal: () => AbortSignal.timeout(redisDeadlineMs),
  }).requester;

  return {
    async request<T>(upstashRequest: Parameters<Requester["request"]>[0]): Promise<T> {
      const reply = await http.request(upstashRequest).catch((error: unknown) => {
        throw redactError(error);
      });
      return (Array.isArray(reply) ? (reply as Reply[]).map(redactReply) : redactReply(reply)) as T;
    },
  };
}

function redactReply(reply: Reply): Reply {
  return reply.error ? { ...reply, error: redisErrorCode(reply.error) } : reply;
}

/** Returns an error that contains only Redis's error code. The library's messages contain the command. */
function redactError(error: unknown): Error {
  const { name = "", message = "" } = error instanceof Error ? error : {};
  return name === "UpstashError"
    ? new Error(redisErrorCode(message))
    : connectionError({ timedOut: name === "TimeoutError" });
}
