interface Anchor {
  serverTime: string;
  serverMs: number;
  monotonicMs: number;
  wallMs: number;
}

let anchor: Anchor | null = null;

/** Stores the server time of a response. Call this function immediately after the response arrives. */
export function recordServerTime(serverTime: string): void {
  if (anchor?.serverTime !== serverTime) anchor = readClocks(serverTime);
}

/** Returns the current server time in milliseconds: `serverTime` plus the time since the response arrived. */
export function serverNow(serverTime: string): number {
  const { serverMs, monotonicMs } = anchorOf(serverTime);
  return serverMs + performance.now() - monotonicMs;
}

/** Returns true if `serverNow` may be wrong, because the device slept or its wall clock changed. */
export function isClockUncertain(serverTime: string): boolean {
  const { monotonicMs, wallMs } = anchorOf(serverTime);
  const elapsed = performance.now() - monotonicMs;
  return Math.abs(Date.now() - wallMs - elapsed) > toleranceMs;
}

/** Clock difference that is ignored, because time synchronization often adjusts the wall clock a little. */
const toleranceMs = 2_000;

function anchorOf(serverTime: string): Anchor {
  if (anchor?.serverTime === serverTime) return anchor;
  return (anchor = readClocks(serverTime));
}

function readClocks(serverTime: string): Anchor {
  return { serverTime, serverMs: Date.parse(serverTime), monotonicMs: performance.now(), wallMs: Date.now() };
}
