/** What the server's clock said, and what both clocks of the browser said at that moment. */
interface Anchor {
  serverTime: string;
  serverMs: number;
  monotonicMs: number;
  wallMs: number;
}

let anchor: Anchor | null = null;

/** To be called the moment an answer with the server's time arrives. */
export function recordServerTime(serverTime: string): void {
  if (anchor?.serverTime !== serverTime) anchor = readClocks(serverTime);
}

/**
 * The server's clock now, in milliseconds. It is carried on by the monotonic clock, so neither a wrong clock nor one
 * that is changed meanwhile matters.
 *
 * @param serverTime of the answer to count from
 */
export function serverNow(serverTime: string): number {
  const { serverMs, monotonicMs } = anchorOf(serverTime);
  return serverMs + performance.now() - monotonicMs;
}

/**
 * True when the browser's two clocks have drifted apart since that answer: the device slept (the monotonic clock of
 * some browsers stands still then), or somebody set the clock. Only the server can tell which.
 */
export function isClockUncertain(serverTime: string): boolean {
  const { monotonicMs, wallMs } = anchorOf(serverTime);
  const elapsed = performance.now() - monotonicMs;
  return Math.abs(Date.now() - wallMs - elapsed) > toleranceMs;
}

/** Clocks are adjusted by fractions of a second all the time. */
const toleranceMs = 2_000;

function anchorOf(serverTime: string): Anchor {
  if (anchor?.serverTime === serverTime) return anchor;
  return (anchor = readClocks(serverTime));
}

function readClocks(serverTime: string): Anchor {
  return {
    serverTime,
    serverMs: Date.parse(serverTime),
    monotonicMs: performance.now(),
    wallMs: Date.now(),
  };
}
