import { useEffect, useState } from "react";

const tickMs = 200;

/** What a challenge with more than the normal work says of itself. */
export interface LongerWork {
  /** How many times the normal one. */
  work: number;
  /** How long it takes at most on this device; null as long as that is not known. */
  longestMs: number | null;
}

/** Why a check takes longer than usual, and how far it has come. */
export function LongerWorkNotice({ work, longestMs }: LongerWork) {
  const [passedMs, setPassedMs] = useState(0);
  useEffect(() => {
    const startedAt = performance.now();
    const timer = setInterval(() => setPassedMs(performance.now() - startedAt), tickMs);
    return () => clearInterval(timer);
  }, []);
  const share = longestMs === null ? undefined : Math.min(1, passedMs / longestMs);
  return (
    <div className="mt-2 flex flex-col gap-2 text-sm text-muted-foreground">
      <p role="status">
        Many requests came from your network today, so this check takes up to {work} times as long as usual.
        It goes on by itself.
      </p>
      <progress aria-label="Progress of the check" value={share} className="h-2 w-full accent-primary" />
    </div>
  );
}
