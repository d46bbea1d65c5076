interface Anchor {
  serverTime: string;
  monotonicMs: number;
  wallMs: number;
}

/** Smaller changes of the wall clock are ignored, because time synchronization often causes them. */
const toleranceMs = 2_000;

let anchor: Anchor | null = null;

/** Stores the server time of a response. Call this function immediately after the response arrives. */
export function recordServerTime(serverTime: string): Anchor {
  if (anchor?.serverTime !== serverTime) {
    anchor = { serverTime, monotonicMs: performance.now(), wallMs: Date.now() };
  }
  return anchor;
}

/** Returns the current server time in milliseconds: `serverTime` plus the time since the response arrived. */
export function serverNow(serverTime: string): number {
  const { monotonicMs } = recordServerTime(serverTime);
  return Date.parse(serverTime) + performance.now() - monotonicMs;
}

/** Returns true if `serverNow` may be wrong, because the device slept or its wall clock changed. */
export function isClockUncertain(serverTime: string): boolean {
  const { monotonicMs, wallMs } = recordServerTime(serverTime);
  const elapsed = performance.now() - monotonicMs;
  return Math.abs(Date.now() - wallMs - elapsed) > toleranceMs;
}
