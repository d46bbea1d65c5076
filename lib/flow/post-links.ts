import type { InstagramPost } from "./instagram-link";

/* Not in instagram-link.ts, because only the home page needs the parser. */

/** Returns the canonical link of a post: /reel/ for reels, /p/ for other posts. */
export function canonicalLink({ postId, type }: InstagramPost): string {
  return `https://www.instagram.com/${type === "reel" ? "reel" : "p"}/${postId}/`;
}

/** Returns the link that the server sends to the delivery service. The link has /p/, also for reels. */
export function likeLink(postId: string): string {
  return `https://www.instagram.com/p/${postId}/`;
}
