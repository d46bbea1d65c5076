import "server-only";
import type { PostType } from "@/lib/schemas/api-responses";
import type { InstagramPost } from "@/lib/flow/instagram-link";

/** Time limit for a lookup and its retry together, in milliseconds. See docs/decisions/0006-post-lookups.md. */
export const lookupTimeoutMs = 9_000;

export type LookupResult =
  | {
      status: "public";
      type: PostType;
      username: string | null;
      caption: string | null;
      imageUrl: string | null;
      /** True if the page shows a preview without an image. */
      limited: boolean;
    }
  | { status: "private" | "missing" }
  /** The lookup has no result. The server logs `reason`, so `reason` has no post code and no secret. */
  | { status: "unavailable"; reason: string; retryAfterSeconds?: number };

/** Finds out whether a post is public, and returns its preview. Receives a parsed post, never a URL. */
export interface PostLookup {
  find(post: InstagramPost): Promise<LookupResult>;
}
