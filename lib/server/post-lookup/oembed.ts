import "server-only";
import type { IncomingHttpHeaders } from "node:http";
import type { Redis } from "@upstash/redis";
import { z } from "zod";
import { retention } from "@/lib/config/limits";
import type { InstagramPost } from "@/lib/flow/instagram-link";
import { canonicalLink } from "@/lib/flow/post-links";
import { log } from "@/lib/server/log/log";
import { pauseTimeout } from "@/lib/server/async/with-timeout";
import { fetchJson, type HttpResponse } from "@/lib/server/http/http-client";
import { parseJson } from "@/lib/server/http/read-body";
import { withRedis } from "@/lib/server/redis/client";
import { lookupTimeoutMs, type LookupResult, type PostLookup } from "./post-lookup";

const maxResponseBytes = 131_072;

/** Key of the pause of all lookups. All processes share it, because Meta counts their calls together. */
const coolOffKey = "lookup:cool-off";
const maxCoolOffSeconds = retention.lookupPauseMinutes * 60;
const defaultCoolOffSeconds = 300;
/** The server pauses lookups when Meta reports that at least this percentage of a limit is used. */
const pauseThreshold = 95;

/** Fields of every oEmbed response from Meta. Meta no longer sends author and thumbnail. */
const replySchema = z.object({ type: z.string().min(1), html: z.string().min(1) });
const errorSchema = z.object({ error: z.object({ code: z.number().int() }) });

/** Rate-limit codes of Meta for apps (4, 341), users (17), pages (32), call types (613), accounts (80002). */
const limitCodes = new Set([4, 17, 32, 341, 613, 80_002]);
/** Meta's error codes for a post that is deleted, private or age-restricted, or that forbids embedding. */
const missingCodes = new Set([24, 100, 803]);

/** Returns true if Meta's code means a bad token (102, 190) or a missing permission (3, 10, 200 to 299). */
function isAccessCode(code: number): boolean {
  return [3, 10, 102, 190].includes(code) || (code >= 200 && code < 300);
}

/**
 * Creates the adapter that sends lookups to Meta's oEmbed endpoint. A post is public if Meta can embed it.
 * The adapter discards the response, because Meta forbids storing it (docs/decisions/0006-post-lookups.md).
 *
 * @param settings.token App token, which raises Meta's limit. Sent as a header, because URLs appear in logs.
 */
export function createOembedLookup(
  settings: { url: string; token?: string | undefined },
  redis: Redis,
): PostLookup {
  const headers: Record<string, string> = {
    accept: "application/json",
    ...(settings.token !== undefined && { authorization: `Bearer ${settings.token}` }),
  };

  return async (post) => {
    const leftMs = await withRedis("read cool-off", () => redis.pttl(coolOffKey));
    if (leftMs > 0)
      return { status: "unavailable", reason: "cool-off", retryAfterSeconds: Math.ceil(leftMs / 1_000) };
    const url = new URL(settings.url);
    url.searchParams.set("url", canonicalLink(post));
    const response = await pauseTimeout(() =>
      fetchJson(url, {
        headers,
        deadlineMs: lookupTimeoutMs,
        maxBytes: maxResponseBytes,
        retryStatus: (status) => status >= 500,
      }),
    );
    if ("failure" in response) return { status: "unavailable", reason: response.failure };
    const seconds = coolOffSeconds(response.headers, isRateLimited(response));
    if (seconds !== null) {
      log.warn("lookup cool-off", { seconds, status: response.status });
      const ex = Math.min(maxCoolOffSeconds, Math.max(1, Math.ceil(seconds)));
      await withRedis("start cool-off", () => redis.set(coolOffKey, "1", { ex }));
    }
    return toResult(response, post);
  };
}

function errorCode(response: HttpResponse): number | undefined {
  return errorSchema.safeParse(response.json).data?.error.code;
}

function isRateLimited(response: HttpResponse): boolean {
  return response.status === 429 || (response.status >= 400 && limitCodes.has(errorCode(response) ?? 0));
}

function toResult(response: HttpResponse, { type }: InstagramPost): LookupResult {
  const { status } = response;
  if (status === 200 && replySchema.safeParse(response.json).success)
    return { status: "public", type, username: null, caption: null, imageUrl: null };
  const code = errorCode(response);
  // Meta sends one code for private and deleted posts, so "missing" can also mean a private post.
  if ((status === 400 || status === 404) && missingCodes.has(code ?? 0)) return { status: "missing" };
  return { status: "unavailable", reason: describeFailure(response, code) };
}

/** Returns the reason for the log. Omits Meta's own message, because Meta's message may contain the link. */
function describeFailure(response: HttpResponse, code: number | undefined): string {
  const problem = isRateLimited(response)
    ? "Meta's limit is reached"
    : code !== undefined && isAccessCode(code)
      ? "Meta refuses the token or its permissions"
      : response.status === 200
        ? "not an oEmbed response"
        : "unexpected response";
  return `${problem} (HTTP ${response.status}${code === undefined ? "" : `, code ${code}`})`;
}

/** Format of the header `X-App-Usage`. Each number says how many percent of an hourly limit are used. */
const appUsageSchema = z.object({
  call_count: z.number().optional(),
  total_time: z.number().optional(),
  total_cputime: z.number().optional(),
});
/** Format of `X-Business-Use-Case-Usage`: usage percentages for each business, and a wait in minutes. */
const businessUsageSchema = z.record(
  z.string(),
  z.array(appUsageSchema.extend({ estimated_time_to_regain_access: z.number().optional() })),
);

/**
 * Reads the headers of Meta's response, and computes how long the server must pause lookups. A successful
 * response can have these headers, too.
 *
 * @param isRateLimited true if Meta rejected the request because of too many calls
 * @returns the pause in seconds, or null if no pause is needed
 */
function coolOffSeconds(headers: IncomingHttpHeaders, isRateLimited: boolean): number | null {
  const app = appUsageSchema.safeParse(parseJson(headers["x-app-usage"]?.toString())).data;
  const business = businessUsageSchema.safeParse(
    parseJson(headers["x-business-use-case-usage"]?.toString()),
  ).data;
  const businessUsages = Object.values(business ?? {}).flat();
  const usages = [...(app ? [app] : []), ...businessUsages];
  const usedPercent = Math.max(
    0,
    ...usages.flatMap((usage) => [usage.call_count ?? 0, usage.total_time ?? 0, usage.total_cputime ?? 0]),
  );
  if (!isRateLimited && usedPercent < pauseThreshold) return null;
  const minutes = Math.max(0, ...businessUsages.map((usage) => usage.estimated_time_to_regain_access ?? 0));
  return minutes * 60 || retryAfterSeconds(headers) || defaultCoolOffSeconds;
}

/** Returns the seconds from `Retry-After`, which is a number or a date. Returns 0 without a valid header. */
function retryAfterSeconds(headers: IncomingHttpHeaders): number {
  const value = headers["retry-after"] ?? "";
  if (/^\d+$/.test(value)) return Number(value);
  const seconds = (Date.parse(value) - Date.now()) / 1_000;
  return seconds > 0 ? seconds : 0;
}
