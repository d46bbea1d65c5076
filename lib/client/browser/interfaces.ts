/* Interfaces that some browsers lack, or that throw with some settings. ESLint forbids them outside lib/client/browser. */

/** Calls `action` and returns its result. Returns undefined if it throws. */
export function attempt<Result>(action: () => Result): Result | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}

/** Returns a signal that aborts after `ms`. Older browsers have none: their requests have no time limit. */
export function timeoutSignal(ms: number): AbortSignal | undefined {
  return attempt(() => AbortSignal.timeout(ms));
}

/** Returns true if the browser says that it is offline. It may be wrong, for example with a VPN. */
export function saysOffline(): boolean {
  return navigator.onLine === false;
}

/** Returns true if the media query matches. Calls `onChange` when the result changes. */
export function matchesMedia(query: string, onChange?: (matches: boolean) => void): boolean {
  const list = attempt(() => matchMedia(query));
  if (onChange) attempt(() => list?.addEventListener("change", ({ matches }) => onChange(matches)));
  return list?.matches ?? false;
}

/**
 * Replaces the address and the state of the page's entry in the browser history. Does nothing in Safari after 100 calls in
 * 30 s, which then throws.
 */
export function replaceEntry(address: string | URL, state: unknown = history.state): void {
  attempt(() => history.replaceState(state, "", address));
}

/** Calls `onChange` when the size of the element changes. Returns the observer, or undefined if the browser has none. */
export function observeSize(element: Element, onChange: () => void): ResizeObserver | undefined {
  const observer = attempt(() => new ResizeObserver(onChange));
  observer?.observe(element);
  return observer;
}

/** Starts a web worker. Rejects if the browser has none. */
export async function startWorker(path: string): Promise<Worker> {
  return new Worker(path);
}

/** Unregisters the service workers of an earlier site on this domain, which may show old pages. This site has none. */
export function removeServiceWorkers(): void {
  // Without cookies there are none, and Firefox writes an error to the console.
  if (!navigator.cookieEnabled) return;
  const found = attempt(() => navigator.serviceWorker.getRegistrations());
  found?.then((all) => all.forEach((each) => void each.unregister())).catch(() => {});
}

/** GMT, which browsers also report to hide the time zone. Firefox then reports the zone of Iceland. */
const hidingZone = /^(?:(?:Etc\/)?(?:UTC|GMT|Unknown)|Atlantic\/Reykjavik)$/;

/** Returns the visitor's time zone ("Europe/Berlin"). Returns null if it is GMT or unknown. */
export function findTimeZone(): string | null {
  const zone = attempt(() => new Intl.DateTimeFormat().resolvedOptions().timeZone);
  return zone && !hidingZone.test(zone) ? zone : null;
}

/** Creates a random UUID (version 4), also on http sites, where `crypto.randomUUID` does not exist. */
export function createIdempotencyKey(): string {
  // Replaces the digits 0, 1 and 8. The digit 8 keeps its highest bit, and 4 is the version.
  return "10000000-1000-4000-8000-100000000000".replace(/[018]/g, (digit) => {
    const random = crypto.getRandomValues(new Uint8Array(1))[0] ?? 0;
    return (Number(digit) ^ (random & (15 >> (Number(digit) / 4)))).toString(16);
  });
}

/** Returns the clipboard's text. Rejects if the browser or the visitor denies access. */
export async function readClipboard(): Promise<string> {
  return navigator.clipboard.readText();
}

/** Writes a text to the clipboard. Rejects without access, for example on plain http pages. */
export async function writeClipboard(text: string): Promise<void> {
  await navigator.clipboard.writeText(text);
}

/** True if the browser denies reading. Some in-app browsers deny it without asking the visitor. */
let denied = false;

/** Returns false if the browser cannot read the clipboard, as on plain http pages, or denies it. */
export function canReadClipboard(): boolean {
  return !denied && attempt(() => typeof navigator.clipboard.readText) === "function";
}

/** Asks for the permission, and calls `onChange` when `canReadClipboard` may have changed. */
export function queryClipboard(onChange: () => void): () => void {
  const name = "clipboard-read" as PermissionName;
  const update = ({ state }: PermissionStatus) => {
    denied = state === "denied";
    onChange();
  };
  // Firefox and Safari reject this permission name. These browsers ask the visitor after the click.
  attempt(() => navigator.permissions.query({ name }))?.then(update, () => {});
  return () => {};
}

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
