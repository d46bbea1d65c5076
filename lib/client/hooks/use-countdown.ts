import { useEffect, useEffectEvent, useRef, useSyncExternalStore } from "react";
import { timing } from "@/lib/config/limits";
import { isClockUncertain, serverNow } from "@/lib/client/browser/server-clock";

/** Minimum time between two calls of `onClockUncertain`. */
const minRecheckIntervalMs = 30_000;

export interface CountdownOptions {
  /** ISO date-time. */
  deadline: string;
  /** Called once for each deadline, when the countdown reaches zero. */
  onComplete?: () => void;
  /** Called when the time may be wrong, for example after sleep. The caller must get the server time. */
  onClockUncertain?: () => void;
}

/** Returns the seconds until the deadline, measured with the server's clock. Updates every second. */
export function useCountdown({ deadline, onComplete, onClockUncertain }: CountdownOptions): number {
  const lastRecheck = useRef(-Infinity);

  const secondsLeft = useSyncExternalStore(
    subscribeToTime,
    () => Math.max(0, Math.ceil((Date.parse(deadline) - serverNow()) / 1_000)),
    () => 0,
  );

  const complete = useEffectEvent(() => onComplete?.());
  const isOver = secondsLeft === 0;
  useEffect(() => {
    if (isOver) complete();
  }, [isOver, deadline]);

  const recheckClock = useEffectEvent((restored: boolean) => {
    if (!restored && !isClockUncertain()) return;
    if (performance.now() - lastRecheck.current < minRecheckIntervalMs) return;
    lastRecheck.current = performance.now();
    onClockUncertain?.();
  });
  useEffect(() => subscribeToTime(recheckClock), []);

  return secondsLeft;
}

/**
 * Runs the callback every second, and when the visitor returns to the page. `restored` is true if the browser
 * restored the page from the back/forward cache.
 */
function subscribeToTime(callback: (restored: boolean) => void): () => void {
  const subscription = new AbortController();
  const { signal } = subscription;
  const tick = () => callback(false);
  const timer = setInterval(tick, timing.countdownTickMs);
  document.addEventListener("visibilitychange", tick, { signal });
  window.addEventListener("focus", tick, { signal });
  window.addEventListener("pageshow", (event) => callback(event.persisted), { signal });
  return () => {
    clearInterval(timer);
    subscription.abort();
  };
}
