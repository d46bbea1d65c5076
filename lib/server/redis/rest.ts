import "server-only";
import { Redis, type Requester } from "@upstash/redis";
import { connectionError, redisDeadlineMs, redisErrorCode, type Reply } from "./reply";

/** Exposes the HTTP requester of `@upstash/redis`, which the library does not export. */
class HttpRedis extends Redis {
  get requester(): Requester {
    return this.client;
  }
}

/** Creates a requester for Upstash's REST API that behaves like the TCP requester (docs/decisions/0008). */
export function createRestRequester({ url, token }: { url: string; token: string }): Requester {
  const http = new HttpRedis({
    url,
    token,
    enableTelemetry: false,
    // Automatic pipelining makes the constructor return a proxy, and a slow command delays other commands.
    enableAutoPipelining: false,
    retry: { retries: 1, backoff: () => 50 },
    // The library calls this function once per request, so the signal covers both attempts and the body. With
    // a plain AbortSignal, an aborted request would resolve with null instead of rejecting.
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

/** Returns an error that contains only Redis's error code, and nothing of the command. */
function redactError(error: unknown): Error {
  const { name = "", message = "" } = error instanceof Error ? error : {};
  return name === "UpstashError"
    ? new Error(redisErrorCode(message))
    : connectionError({ timedOut: name === "TimeoutError" });
}
