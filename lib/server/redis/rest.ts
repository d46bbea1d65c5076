import "server-only";
import { Redis, type Requester } from "@upstash/redis";
import { connectionError, redisDeadlineMs, redisErrorCode, type Reply } from "./reply";

/** Lends the client library's own HTTP requester, which it does not export. */
class HttpRedis extends Redis {
  get requester(): Requester {
    return this.client;
  }
}

/**
 * Upstash's REST API as a `Requester`: the client library's own, with the promises of the TCP one. Answers within the
 * deadline or rejects; a broken connection is tried once more, which is safe because every script of this product may
 * run twice. Errors carry Redis's error code only: the library's messages hold whole commands.
 */
export function createRestRequester({ url, token }: { url: string; token: string }): Requester {
  const http = new HttpRedis({
    url,
    token,
    enableTelemetry: false,
    // Otherwise the constructor returns a proxy; and batching would let one slow command delay its neighbours.
    enableAutoPipelining: false,
    retry: { retries: 1, backoff: () => 50 },
    // A function: called once a request, it bounds both tries and the reading of the answer; a plain signal that
    // fires would resolve as null instead of rejecting.
    signal: () => AbortSignal.timeout(redisDeadlineMs),
  }).requester;

  return {
    async request<T>(upstashRequest: Parameters<Requester["request"]>[0]): Promise<T> {
      const answer = await http.request(upstashRequest).catch((error: unknown) => {
        throw speechless(error);
      });
      return (Array.isArray(answer) ? (answer as Reply[]).map(codeOnly) : codeOnly(answer)) as T;
    },
  };
}

function codeOnly(answer: Reply): Reply {
  return answer.error ? { ...answer, error: redisErrorCode(answer.error) } : answer;
}

/** What may be said of a failed request: nothing of its command, nothing of the answer but the code. */
function speechless(error: unknown): Error {
  const { name = "", message = "" } = error instanceof Error ? error : {};
  return name === "UpstashError"
    ? new Error(redisErrorCode(message))
    : connectionError({ timedOut: name === "TimeoutError" });
}
