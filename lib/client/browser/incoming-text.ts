import { sharedTextCookieName } from "@/lib/config/limits";
import { attempt, replaceEntry } from "./interfaces";

const parameterNames = ["link", "url", "text", "title"];

/**
 * Returns the text for the link field from the shared-text cookie or from the page URL, and removes the text
 * there. Returns null if there is no text. Returns "" if the cookie is empty or unreadable.
 */
export function takeIncomingText(): string | null {
  return takeSharedText() ?? takeQueryText();
}

function takeSharedText(): string | null {
  const start = `${sharedTextCookieName}=`;
  const cookie = attempt(() => document.cookie.split("; ").find((each) => each.startsWith(start)));
  if (cookie === undefined) return null;
  document.cookie = `${start}; Max-Age=0; Path=/`;
  return attempt(() => decodeURIComponent(cookie.slice(start.length))) ?? "";
}

function takeQueryText(): string | null {
  const address = new URL(window.location.href);
  const texts = parameterNames.map((name) => address.searchParams.get(name)).filter(Boolean);
  if (texts.length === 0) return null;
  parameterNames.forEach((name) => address.searchParams.delete(name));
  replaceEntry(address);
  return texts.join(" ");
}
