import { useCallback, useEffect, useEffectEvent, useRef, useSyncExternalStore } from "react";
import type { TimeLeft } from "@/lib/http/api-responses";
import { splitTime } from "@/lib/time/countdown";
import { timing } from "@/lib/config/limits";
import { isClockUncertain, serverNow } from "@/lib/client/api/server-clock";

/** Between two questions to the server about the time, while it does not answer. */
const doubtPauseMs = 30_000;

export interface CountdownOptions {
  /** The end, ISO. */
  deadline: string;
  /** What the server's clock said in the answer that named the deadline, ISO. */
  serverTime: string;
  /** Called once per deadline. */
  onComplete: () => void;
  /**
   * The device may have slept, or its clock was set: ask the server again. Until it answers, the countdown goes on
   * by the monotonic clock; it may then be late, never early.
   */
  onDoubt?: () => void;
}

/**
 * Counts down by the server's clock, each second. The time left is computed anew on every tick and whenever the page
 * comes back, so sleeping and throttled tabs show the right time at once.
 */
export function useCountdown({ deadline, serverTime, onComplete, onDoubt }: CountdownOptions): TimeLeft {
  const completed = useRef<string | null>(null);
  const lastDoubt = useRef(-Infinity);

  const subscribe = useCallback(
    (changed: () => void) => subscribeToTime(timing.countdownTickMs, changed),
    [],
  );
  const secondsLeft = useSyncExternalStore(
    subscribe,
    () => Math.max(0, Math.ceil((Date.parse(deadline) - serverNow(serverTime)) / 1_000)),
    () => 0,
  );

  const complete = useEffectEvent(onComplete);
  useEffect(() => {
    if (secondsLeft > 0 || completed.current === deadline) return;
    completed.current = deadline;
    complete();
  }, [secondsLeft, deadline]);

  const doubt = useEffectEvent((restored: boolean) => {
    if (!restored && !isClockUncertain(serverTime)) return;
    if (performance.now() - lastDoubt.current < doubtPauseMs) return;
    lastDoubt.current = performance.now();
    onDoubt?.();
  });
  useEffect(() => subscribeToTime(timing.countdownTickMs, doubt), []);

  return splitTime(secondsLeft * 1_000);
}

/** Calls back on every tick and when the page comes back; `true` when it was restored as it had been left. */
function subscribeToTime(tickMs: number, callback: (restored: boolean) => void): () => void {
  const tick = () => callback(false);
  const restore = (event: PageTransitionEvent) => callback(event.persisted);
  const timer = setInterval(tick, tickMs);
  document.addEventListener("visibilitychange", tick);
  window.addEventListener("focus", tick);
  window.addEventListener("online", tick);
  window.addEventListener("pageshow", restore);
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", tick);
    window.removeEventListener("focus", tick);
    window.removeEventListener("online", tick);
    window.removeEventListener("pageshow", restore);
  };
}
