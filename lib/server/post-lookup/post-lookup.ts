import "server-only";
import type { PostDetails } from "@/lib/schemas/api-responses";
import type { InstagramPost } from "@/lib/flow/instagram-link";

/** Time limit for a lookup and its retry together, in milliseconds. See docs/decisions/0006-post-lookups.md. */
export const lookupTimeoutMs = 9_000;

export type LookupResult =
  | ({ status: "public" } & Pick<PostDetails, "type" | "username" | "caption" | "imageUrl">)
  | { status: "private" | "missing" }
  /** The lookup has no result. The server logs `reason`, so `reason` has no post code and no secret. */
  | { status: "unavailable"; reason: string; retryAfterSeconds?: number };

/** Finds out whether a post is public, and returns its preview. Receives a parsed post, never a URL. */
export type PostLookup = (post: InstagramPost) => Promise<LookupResult>;
