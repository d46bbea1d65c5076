let blocked: boolean | undefined;

/**
 * Returns true if the browser blocks cookies. Chromium sets `cookieEnabled` although its settings block them.
 * These settings also block storage, so the function sets a test cookie when storage is blocked.
 */
export function areCookiesBlocked(): boolean {
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
