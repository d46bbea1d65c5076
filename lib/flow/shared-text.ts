import { parseInstagramLink } from "./instagram-link";
import { canonicalLink } from "./post-links";

/** Path and parameter names for texts that visitors share from other apps (Web Share Target API). */
export const shareTarget = {
  path: "/api/share",
  params: { title: "title", text: "text", url: "url" },
} as const;

/** Returns the link of the first post in the fields. Without a post link, joins all fields. */
export function readSharedText(fields: URLSearchParams): string {
  const { url, text, title } = shareTarget.params;
  const parts = [url, text, title].map((name) => collapseWhitespace(fields.get(name) ?? "")).filter(Boolean);
  const result = parts.map(parseInstagramLink).find(({ ok }) => ok);
  return result?.ok ? canonicalLink(result.post) : [...new Set(parts)].join(" ");
}

/** Replaces each run of whitespace, including line breaks, with one space, and trims the text. */
export function collapseWhitespace(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
