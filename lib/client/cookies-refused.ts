let refused: boolean | undefined;

/**
 * Whether the browser keeps no cookie of this site. One is set and taken away again: `navigator.cookieEnabled` alone is
 * true in a Chromium that blocks them by its settings.
 */
export function areCookiesRefused(): boolean {
  refused ??= !navigator.cookieEnabled || !keepsCookie();
  return refused;
}

function keepsCookie(): boolean {
  const probe = "probe=1";
  document.cookie = `${probe}; Path=/; SameSite=Lax`;
  const kept = document.cookie.includes(probe);
  document.cookie = `${probe}; Path=/; SameSite=Lax; Max-Age=0`;
  return kept;
}
