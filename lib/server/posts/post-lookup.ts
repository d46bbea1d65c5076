import "server-only";
import type { PostType } from "@/lib/api-types";
import type { InstagramPost } from "@/lib/instagram-link";

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
  /** The provider could not be asked. */
  | { status: "unavailable"; reason: string };

/** Finds out whether a post is public, and what can be shown of it. Takes the code, never a visitor's URL. */
export interface PostLookup {
  find(post: InstagramPost): Promise<LookupResult>;
}
