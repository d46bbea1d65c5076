import "server-only";
import type { PostType } from "@/lib/http/api-responses";
import type { InstagramPost } from "@/lib/flow/instagram-link";

/** Timeout for a lookup including its retry, because the endpoint must send a 503 within 2 s. */
export const lookupTimeoutMs = 1_500;

export type LookupResult =
  | {
      status: "public";
      type: PostType;
      username: string | null;
      caption: string | null;
      imageUrl: string | null;
      /** The page shows a preview without an image. */
      limited: boolean;
    }
  | { status: "private" | "missing" }
  /** The provider gave no usable response. `reason` is logged, so it contains no post code or secret. */
  | { status: "unavailable"; reason: string; retryAfterSeconds?: number };

/** Looks up whether a post is public, and its preview. Receives the parsed post, not a URL. */
export interface PostLookup {
  find(post: InstagramPost): Promise<LookupResult>;
}
