interface Anchor {
  serverTime: string;
  serverMs: number;
  monotonicMs: number;
  wallMs: number;
}

let anchor: Anchor | null = null;

/** Stores the server time of a response. Callers must call this function when the response arrives. */
export function recordServerTime(serverTime: string): void {
  if (anchor?.serverTime !== serverTime) anchor = readClocks(serverTime);
}

/** Returns the server time in milliseconds, by the monotonic clock: the device clock has no effect. */
export function serverNow(serverTime: string): number {
  const { serverMs, monotonicMs } = anchorOf(serverTime);
  return serverMs + performance.now() - monotonicMs;
}

/** Returns true if the clocks drifted apart: the device clock changed, or the monotonic clock slept. */
export function isClockUncertain(serverTime: string): boolean {
  const { monotonicMs, wallMs } = anchorOf(serverTime);
  const elapsed = performance.now() - monotonicMs;
  return Math.abs(Date.now() - wallMs - elapsed) > toleranceMs;
}

/** Tolerated difference between the clocks, because time synchronization adjusts the wall clock often. */
const toleranceMs = 2_000;

function anchorOf(serverTime: string): Anchor {
  if (anchor?.serverTime === serverTime) return anchor;
  return (anchor = readClocks(serverTime));
}

function readClocks(serverTime: string): Anchor {
  return { serverTime, serverMs: Date.parse(serverTime), monotonicMs: performance.now(), wallMs: Date.now() };
}
