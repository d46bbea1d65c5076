import { attempt } from "./interfaces";

let blocked: boolean | undefined;

/** Returns true if the browser blocks cookies. */
export function areCookiesBlocked(): boolean {
  // If a visitor blocks cookies in Chromium, Chromium also blocks storage, but `cookieEnabled` stays true.
  blocked ??= !navigator.cookieEnabled || (!attempt(() => window.sessionStorage) && !attempt(canSetCookie));
  return blocked;
}

function canSetCookie(): boolean {
  const probe = "probe=1";
  document.cookie = `${probe}; Path=/; SameSite=Lax`;
  const stored = document.cookie.includes(probe);
  document.cookie = `${probe}; Path=/; SameSite=Lax; Max-Age=0`;
  return stored;
}
