let blocked: boolean | undefined;

/** Returns true if the browser blocks cookies. */
export function areCookiesBlocked(): boolean {
  // Chromium sets `cookieEnabled` although its settings block cookies and, together with them, storage.
  blocked ??= !navigator.cookieEnabled || (isStorageBlocked() && !canSetCookie());
  return blocked;
}

function isStorageBlocked(): boolean {
  try {
    return !window.sessionStorage;
  } catch {
    return true;
  }
}

function canSetCookie(): boolean {
  const probe = "probe=1";
  document.cookie = `${probe}; Path=/; SameSite=Lax`;
  const stored = document.cookie.includes(probe);
  document.cookie = `${probe}; Path=/; SameSite=Lax; Max-Age=0`;
  return stored;
}
