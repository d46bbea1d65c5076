/* The build renders the page for private accounts once for each reason and platform. */

export const platforms = ["android", "iphone", "web"] as const;
export type Platform = (typeof platforms)[number];

/** Reason why a post cannot get likes: its account is private, or no public post has this link. */
export type Reason = "private" | "missing";

/** Returns the visitor's platform from the User-Agent header, which may be empty. */
export function detectPlatform(userAgent: string): Platform {
  if (/android/i.test(userAgent)) return "android";
  return /iphone|ipad|ipod/i.test(userAgent) ? "iphone" : "web";
}

/** Returns the last path segment of a variant, for example "private-android". */
export function variantName(reason: Reason, platform: Platform): string {
  return `${reason}-${platform}`;
}
