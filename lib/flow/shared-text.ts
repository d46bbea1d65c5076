import { parseInstagramLink } from "./instagram-link";
import { fieldLimits } from "@/lib/config/limits";

/** Path and parameter names of the Web Share Target. The manifest declares them, and the route reads them. */
export const shareTarget = {
  path: "/api/share",
  params: { title: "title", text: "text", url: "url" },
} as const;

/** Returns the text of the first field with a post link. If none has one, joins all fields with spaces. */
export function readSharedText(fields: URLSearchParams): string {
  const { url, text, title } = shareTarget.params;
  const parts = [url, text, title].map((name) => collapseWhitespace(fields.get(name) ?? "")).filter(Boolean);
  const partWithPost = parts.find((part) => parseInstagramLink(part).ok);
  // Keeps one character more than the link field allows, so that the form still reports a text as too long.
  return partWithPost ?? [...new Set(parts)].join(" ").slice(0, fieldLimits.link + 1);
}

/** Replaces each run of whitespace, including line breaks, with one space, and trims the text. */
export function collapseWhitespace(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
