import "server-only";
import { z } from "zod";
import type { InstagramPost } from "@/lib/flow/instagram-link";
import { canonicalLink } from "@/lib/flow/post-links";
import { log } from "@/lib/server/log/log";
import { pauseTimeout } from "@/lib/server/async/with-timeout";
import { fetchJson, type HttpResponse } from "@/lib/server/http/http-client";
import type { CoolOff } from "./cool-off";
import { coolOffSeconds } from "./meta-limits";
import { lookupTimeoutMs, type LookupResult, type PostLookup } from "./post-lookup";

const maxResponseBytes = 131_072;

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
export function createOembedLookup(settings: {
  url: string;
  token?: string | undefined;
  coolOff: CoolOff;
}): PostLookup {
  const headers: Record<string, string> = {
    accept: "application/json",
    ...(settings.token !== undefined && { authorization: `Bearer ${settings.token}` }),
  };

  async function find(post: InstagramPost): Promise<LookupResult> {
    const remaining = await settings.coolOff.remainingSeconds();
    if (remaining > 0) return { status: "unavailable", reason: "cool-off", retryAfterSeconds: remaining };
    const response = await pauseTimeout(() =>
      fetchJson(buildUrl(settings.url, post), {
        headers,
        deadlineMs: lookupTimeoutMs,
        maxBytes: maxResponseBytes,
        retryStatus: (status) => status >= 500,
      }),
    );
    if ("failure" in response) return { status: "unavailable", reason: response.failure };
    const pauseSeconds = coolOffSeconds(response.headers, isRateLimited(response));
    if (pauseSeconds !== null) {
      log.warn("lookup cool-off", { seconds: pauseSeconds, status: response.status });
      await settings.coolOff.start(pauseSeconds);
    }
    return toResult(response, post);
  }

  return { find };
}

function buildUrl(endpoint: string, post: InstagramPost): URL {
  const url = new URL(endpoint);
  url.searchParams.set("url", canonicalLink(post));
  return url;
}

function errorCode(response: HttpResponse): number | undefined {
  return errorSchema.safeParse(response.json).data?.error.code;
}

function isRateLimited(response: HttpResponse): boolean {
  return response.status === 429 || (response.status >= 400 && limitCodes.has(errorCode(response) ?? 0));
}

function toResult(response: HttpResponse, { type }: InstagramPost): LookupResult {
  const { status } = response;
  if (status === 200 && replySchema.safeParse(response.json).success) {
    return { status: "public", type, username: null, caption: null, imageUrl: null, limited: true };
  }
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
