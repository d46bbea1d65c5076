import { sharedTextCookieName } from "@/lib/config/limits";

/** Where a text can stand in the address, say of a bookmark. The share menu's comes by a cookie. */
const names = ["link", "url", "text", "title"];

/**
 * The text that came with the visit, if any: from the device's share menu, or in the address. It is taken out of where
 * it stood at once. Empty when something was shared that held no text; null when there was nothing.
 */
export function takeIncomingText(): string | null {
  return takeSharedText() ?? takeAddressText();
}

function takeSharedText(): string | null {
  const start = `${sharedTextCookieName}=`;
  const cookie = document.cookie.split("; ").find((each) => each.startsWith(start));
  if (cookie === undefined) return null;
  document.cookie = `${start}; Max-Age=0; Path=/`;
  try {
    return decodeURIComponent(cookie.slice(start.length));
  } catch {
    return "";
  }
}

function takeAddressText(): string | null {
  const address = new URL(window.location.href);
  const texts = names.map((name) => address.searchParams.get(name)).filter(Boolean);
  if (texts.length === 0) return null;
  names.forEach((name) => address.searchParams.delete(name));
  window.history.replaceState(window.history.state, "", address);
  return texts.join(" ");
}
