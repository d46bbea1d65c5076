import "server-only";
import type { Requester } from "@upstash/redis";
import { setTimeout as pause } from "node:timers/promises";
import { connectionError, quotaErrorPattern, redisDeadlineMs, redisErrorCode, type Reply } from "./reply";

const pauseBeforeRetryMs = 50;

/** Error codes of HTTP statuses, whose body can be any text. */
const statusCodes: Partial<Record<number, string>> = { 401: "WRONGPASS", 429: "THROTTLED" };

/**
 * Creates a requester for Upstash's REST API. It behaves like the TCP requester (docs/decisions/0005-redis.md). The HTTP
 * client of `@upstash/redis` would follow redirects, and so send commands to another server.
 */
export function createRestRequester({ url, token }: { url: string; token: string }): Requester {
  const baseUrl = url.replace(/\/$/, "");
  /** Tells a replica which writes it needs before it replies to the next request. */
  let syncToken = "";

  async function send(path: string[], body: unknown, signal: AbortSignal): Promise<Reply | Reply[]> {
    const response = await fetch([baseUrl, ...path].join("/"), {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        "upstash-sync-token": syncToken,
      },
      body: JSON.stringify(body),
      cache: "no-store",
      redirect: "error",
      signal,
    });
    syncToken = response.headers.get("upstash-sync-token") ?? "";
    const code = statusCodes[response.status];
    if (code) return { error: quotaErrorPattern.test(await response.text()) ? "QUOTA" : code };
    const reply = (await response.json()) as Reply | Reply[];
    // Another server in between may respond with JSON, too.
    return response.ok || "error" in reply ? reply : { error: `HTTP ${response.status}` };
  }

  return {
    async request<T>({ path = [], body }: Parameters<Requester["request"]>[0]): Promise<T> {
      // One deadline for both attempts.
      const signal = AbortSignal.timeout(redisDeadlineMs);
      const reply = await send(path, body, signal)
        .catch(async () => {
          await pause(pauseBeforeRetryMs);
          return send(path, body, signal);
        })
        .catch(() => {
          throw connectionError({ timedOut: signal.aborted });
        });
      if (Array.isArray(reply)) return reply.map(redactReply) as T;
      if (reply.error) throw new Error(redisErrorCode(reply.error));
      return reply as T;
    },
  };
}

/** Keeps only the error code of Redis, because messages contain the command. */
function redactReply(reply: Reply): Reply {
  return reply.error ? { ...reply, error: redisErrorCode(reply.error) } : reply;
}
