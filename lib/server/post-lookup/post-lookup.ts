import "server-only";
import type { PostType } from "@/lib/http/api-responses";
import type { InstagramPost } from "@/lib/flow/instagram-link";

/** How long a provider has, a second try included: a failing endpoint has to answer 503 within 2 s. */
export const lookupDeadlineMs = 1_500;

export type LookupResult =
  | {
      status: "public";
      type: PostType;
      username: string | null;
      caption: string | null;
      imageUrl: string | null;
      /** Only a limited preview is to be had. */
      limited: boolean;
    }
  | { status: "private" | "missing" }
  /** The provider could not be asked. The reason is for the log: it holds neither a post's code nor a secret. */
  | { status: "unavailable"; reason: string; retryAfterSeconds?: number };

/** Finds out whether a post is public, and what can be shown of it. Takes the code, never a visitor's URL. */
export interface PostLookup {
  find(post: InstagramPost): Promise<LookupResult>;
}
