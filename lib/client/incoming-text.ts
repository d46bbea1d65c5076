/** Where a link can arrive in the address: from the device's share menu, or from a form sent before the script was there. */
const names = ["link", "url", "text", "title"];

/** The text that the home page's address carries, if any. It is removed from the address at once. */
export function takeIncomingText(): string | null {
  const address = new URL(window.location.href);
  const texts = names.map((name) => address.searchParams.get(name)).filter(Boolean);
  if (texts.length === 0) return null;
  names.forEach((name) => address.searchParams.delete(name));
  window.history.replaceState(window.history.state, "", address);
  return texts.join(" ");
}
