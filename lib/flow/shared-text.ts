import { parseInstagramLink } from "./instagram-link";
import { fieldLimits } from "@/lib/config/limits";

/** Path and parameter names of the Web Share Target, for the manifest and the route. */
export const shareTarget = {
  path: "/api/share",
  params: { title: "title", text: "text", url: "url" },
} as const;

/** Returns the first shared field with a post link, or all fields on one line. */
export function readSharedText(fields: URLSearchParams): string {
  const { url, text, title } = shareTarget.params;
  const parts = [url, text, title].map((name) => collapseWhitespace(fields.get(name) ?? "")).filter(Boolean);
  const partWithPost = parts.find((part) => parseInstagramLink(part).ok);
  // One character above the limit of the link field, so that the form reports a text that is too long.
  return partWithPost ?? [...new Set(parts)].join(" ").slice(0, fieldLimits.link + 1);
}

/** Replaces each run of whitespace, including line breaks, with one space, and trims the text. */
export function collapseWhitespace(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
