import "server-only";
import { z } from "zod";
import { pauseTimeout } from "@/lib/server/async/with-timeout";
import { fetchJson } from "@/lib/server/http/http-client";
import { sanitizeText } from "@/lib/server/http/sanitize-text";
import { lookupTimeoutMs, type PostLookup } from "./post-lookup";

const maxResponseBytes = 65_536;
const maxUsernameLength = 30;
const maxCaptionLength = 500;
const maxImageUrlLength = 2_048;
/** A proxy sends these statuses while the lookup service restarts. Our server then retries once. */
const retryableStatuses = new Set([502, 503, 504]);

const cleanText = (maxLength: number) =>
  z.nullish(z.string().transform((text) => sanitizeText(text, maxLength) || null));

const replySchema = z.discriminatedUnion("status", [
  z.object({
    status: z.literal("public"),
    // Rejects a username that is too long, because a shortened username could belong to another account.
    username: cleanText(maxUsernameLength + 1).refine((name) => (name?.length ?? 0) <= maxUsernameLength),
    caption: cleanText(maxCaptionLength),
    imageUrl: z.string().nullish(),
    type: z.enum(["post", "reel"]).nullish(),
  }),
  z.object({ status: z.literal("private") }),
  z.object({ status: z.literal("missing") }),
]);

/**
 * Creates the adapter that sends lookups to the operator's HTTP service. A response that docs/post-lookup.md
 * does not allow means "unavailable". For example, a 404 may mean that the operator configured a wrong URL.
 *
 * @param settings.imageHosts Hosts that may serve images. `*.example.com` allows all its subdomains.
 */
export function createHttpLookup(settings: {
  url: string;
  secret: string;
  imageHosts: readonly string[];
}): PostLookup {
  const headers = { accept: "application/json", authorization: `Bearer ${settings.secret}` };

  return async (post) => {
    const url = new URL(settings.url);
    url.searchParams.set("code", post.postId);
    url.searchParams.set("type", post.type);
    const response = await pauseTimeout(() =>
      fetchJson(url, {
        headers,
        deadlineMs: lookupTimeoutMs,
        maxBytes: maxResponseBytes,
        retryStatus: (status) => retryableStatuses.has(status),
      }),
    );
    if ("failure" in response) return { status: "unavailable", reason: response.failure };
    if (response.status !== 200) return { status: "unavailable", reason: `HTTP ${response.status}` };
    const reply = replySchema.safeParse(response.json).data;
    const problem = response.json === undefined ? "is not JSON of at most 64 KiB" : "breaks the contract";
    if (!reply) return { status: "unavailable", reason: `the response ${problem}` };
    if (reply.status !== "public") return { status: reply.status };
    return {
      status: "public",
      type: reply.type ?? post.type,
      username: reply.username ?? null,
      caption: reply.caption ?? null,
      imageUrl: allowedImage(reply.imageUrl, settings.imageHosts),
    };
  };
}

/** Returns an https URL that has an allowed host, the default port and no credentials. Else returns null. */
function allowedImage(text: string | null | undefined, hosts: readonly string[]): string | null {
  if (!text || text.length > maxImageUrlLength || !URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.protocol !== "https:" || url.port || url.username || url.password) return null;
  return hosts.some((host) => matchesHost(url.hostname, host)) ? url.href : null;
}

function matchesHost(hostname: string, allowed: string): boolean {
  return allowed.startsWith("*.") ? hostname.endsWith(allowed.slice(1)) : hostname === allowed;
}
