import "server-only";
import { z } from "zod";
import type { InstagramPost } from "@/lib/flow/instagram-link";
import { fetchJson } from "@/lib/server/http/http-client";
import { sanitizeText } from "@/lib/server/http/sanitize-text";
import { lookupDeadlineMs, type LookupResult, type PostLookup } from "./post-lookup";

const maxAnswerBytes = 65_536;
const maxUsernameLength = 30;
const maxCaptionLength = 500;
const maxImageUrlLength = 2_048;
/** What a proxy or a restart answers; any other status is the service's own word. */
const retryableStatuses = new Set([502, 503, 504]);

const cleanText = (maxLength: number) =>
  z
    .string()
    .transform((text) => sanitizeText(text, maxLength) || null)
    .nullish();

const replyShape = z.discriminatedUnion("status", [
  z.object({
    status: z.literal("public"),
    // Not cut: a part of a name would be somebody else's.
    username: cleanText(maxUsernameLength + 1).refine((name) => (name?.length ?? 0) <= maxUsernameLength),
    caption: cleanText(maxCaptionLength),
    imageUrl: z.string().nullish(),
    type: z.enum(["post", "reel"]).nullish(),
  }),
  z.object({ status: z.literal("private") }),
  z.object({ status: z.literal("missing") }),
]);

/**
 * A lookup service of the deployer's; its contract is docs/post-lookup.md. Whatever breaks the contract, a 404 among it,
 * is "unavailable": a wrong address must not look like a missing post.
 *
 * @param settings.imageHosts hosts that images may come from; `*.` in front stands for any host below
 */
export function createHttpLookup(settings: {
  url: string;
  secret: string;
  imageHosts: readonly string[];
}): PostLookup {
  const headers = { accept: "application/json", authorization: `Bearer ${settings.secret}` };

  async function find(post: InstagramPost): Promise<LookupResult> {
    const answer = await fetchJson(addressFor(settings.url, post), {
      headers,
      deadlineMs: lookupDeadlineMs,
      maxBytes: maxAnswerBytes,
      retryStatus: (status) => retryableStatuses.has(status),
    });
    if ("failure" in answer) return { status: "unavailable", reason: answer.failure };
    if (answer.status !== 200) return { status: "unavailable", reason: `HTTP ${answer.status}` };
    const reply = replyShape.safeParse(answer.json).data;
    if (!reply) return { status: "unavailable", reason: "the answer breaks the contract" };
    if (reply.status !== "public") return { status: reply.status };
    const imageUrl = allowedImage(reply.imageUrl, settings.imageHosts);
    return {
      status: "public",
      type: reply.type ?? post.type,
      username: reply.username ?? null,
      caption: reply.caption ?? null,
      imageUrl,
      limited: imageUrl === null,
    };
  }

  return { find };
}

function addressFor(endpoint: string, { postId, type }: InstagramPost): URL {
  const url = new URL(endpoint);
  url.searchParams.set("code", postId);
  url.searchParams.set("type", type);
  return url;
}

/** An image that visitors' browsers may load: https, the usual port, a listed host. Null for anything else. */
function allowedImage(text: string | null | undefined, hosts: readonly string[]): string | null {
  if (!text || text.length > maxImageUrlLength || !URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.protocol !== "https:" || url.port || url.username || url.password) return null;
  return hosts.some((host) => matchesHost(url.hostname, host)) ? url.href : null;
}

function matchesHost(hostname: string, allowed: string): boolean {
  return allowed.startsWith("*.") ? hostname.endsWith(allowed.slice(1)) : hostname === allowed;
}
