/** Smaller changes of the wall clock are ignored, because time synchronization often causes them. */
const toleranceMs = 2_000;

let anchor: { serverMs: number; monotonicMs: number; wallMs: number } | null = null;

/** Stores the server time of a response (ms since 1970). Call this function immediately after the response arrives. */
export function recordServerTime(serverMs: number): void {
  anchor = { serverMs, monotonicMs: performance.now(), wallMs: Date.now() };
}

/** Stores the time of the page's first response. Ignores later ones: they are rounded, and may come from a cache. */
export function recordResponseDate({ headers }: Response): void {
  const serverMs = Date.parse(headers.get("Date") ?? "");
  if (!anchor && !Number.isNaN(serverMs)) recordServerTime(serverMs);
}

/** Returns the server time in milliseconds since 1970. Before the first response, returns the browser's time. */
export function serverNow(): number {
  return anchor ? anchor.serverMs + performance.now() - anchor.monotonicMs : Date.now();
}

/** Returns true if `serverNow` may be wrong, because the device slept or its wall clock changed. */
export function isClockUncertain(): boolean {
  if (!anchor) return false;
  const elapsed = performance.now() - anchor.monotonicMs;
  return Math.abs(Date.now() - anchor.wallMs - elapsed) > toleranceMs;
}
