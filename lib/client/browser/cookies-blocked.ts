let refused: boolean | undefined;

/**
 * Whether the browser keeps no cookie of this site. `navigator.cookieEnabled` alone is true in a Chromium that blocks
 * them by its settings; it forbids storage as well, and only then a cookie is tried, and taken away at once.
 */
export function areCookiesBlocked(): boolean {
  refused ??= !navigator.cookieEnabled || (isStorageForbidden() && !keepsCookie());
  return refused;
}

function isStorageForbidden(): boolean {
  try {
    return !window.sessionStorage;
  } catch {
    return true;
  }
}

function keepsCookie(): boolean {
  const probe = "probe=1";
  document.cookie = `${probe}; Path=/; SameSite=Lax`;
  const kept = document.cookie.includes(probe);
  document.cookie = `${probe}; Path=/; SameSite=Lax; Max-Age=0`;
  return kept;
}
