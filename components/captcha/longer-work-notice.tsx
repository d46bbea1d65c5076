import { useEffect, useState } from "react";

const tickMs = 200;

export interface LongerWork {
  /** Maximum solving time compared with a normal challenge. For example, 3 means three times as long. */
  work: number;
  /** Estimated maximum solving time on this device. Null until the estimate is ready. */
  maxDurationMs: number | null;
}

/** Explains why the captcha takes longer than usual, and shows the estimated progress. */
export function LongerWorkNotice({ work, maxDurationMs }: LongerWork) {
  const [elapsedMs, setElapsedMs] = useState(0);
  useEffect(() => {
    const startedAt = performance.now();
    const timer = setInterval(() => setElapsedMs(performance.now() - startedAt), tickMs);
    return () => clearInterval(timer);
  }, []);
  const progress = maxDurationMs === null ? undefined : Math.min(1, elapsedMs / maxDurationMs);
  return (
    <div className="mt-2 flex flex-col gap-2 text-sm text-muted-foreground">
      <p role="status">
        {`Many requests came from your network today, so this check takes up to ${work} times as long as usual. It goes on by itself.`}
      </p>
      <progress aria-label="Progress of the check" value={progress} className="h-2 w-full accent-primary" />
    </div>
  );
}
