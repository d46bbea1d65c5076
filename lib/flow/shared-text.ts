import { parseInstagramLink } from "./instagram-link";
import { fieldLimits } from "@/lib/config/limits";

/** What the device's share menu sends, and where: for the manifest, and for the route that takes it. */
export const shareTarget = {
  path: "/api/share",
  params: { title: "title", text: "text", url: "url" },
} as const;

/**
 * The text for the link field out of a share. Apps differ in where they put the link: the part that names a post wins;
 * else all parts on one line, for the field to say what is wrong with them. At most one character longer than the
 * field takes, so that what is too long is still seen to be.
 */
export function readSharedText(fields: URLSearchParams): string {
  const { url, text, title } = shareTarget.params;
  const parts = [url, text, title].map((name) => onOneLine(fields.get(name) ?? "")).filter(Boolean);
  const naming = parts.find((part) => parseInstagramLink(part).ok);
  return naming ?? [...new Set(parts)].join(" ").slice(0, fieldLimits.link + 1);
}

/** A text as a one-line field can hold it: a line break is a space, not nothing. */
export function onOneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
