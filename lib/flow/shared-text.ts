import { parseInstagramLink } from "./instagram-link";
import { fieldLimits } from "@/lib/config/limits";

/** Path and parameter names for texts that visitors share from other apps (Web Share Target API). */
export const shareTarget = {
  path: "/api/share",
  params: { title: "title", text: "text", url: "url" },
} as const;

/** Returns the text of the first field with a post link. Without a post link, joins all fields. */
export function readSharedText(fields: URLSearchParams): string {
  const { url, text, title } = shareTarget.params;
  const parts = [url, text, title].map((name) => collapseWhitespace(fields.get(name) ?? "")).filter(Boolean);
  const partWithPost = parts.find((part) => parseInstagramLink(part).ok);
  // Keeps one character more than the link field allows. The form then still rejects the text as too long.
  return partWithPost ?? [...new Set(parts)].join(" ").slice(0, fieldLimits.link + 1);
}

/** Replaces each run of whitespace, including line breaks, with one space, and trims the text. */
export function collapseWhitespace(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
