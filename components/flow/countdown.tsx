"use client";

import { LocalTime } from "@/components/flow/local-time";
import { useCountdown, type CountdownOptions } from "@/lib/client/use-countdown";
import { describeTimeLeft, formatTimeLeft } from "@/lib/countdown";

/** The time until likes can be requested again, in hours, minutes and seconds, and when that is. */
export function Countdown(options: CountdownOptions) {
  const left = useCountdown(options);
  return (
    <div className="flex flex-col gap-1">
      <p
        role="timer"
        aria-label={`Time left: ${describeTimeLeft(left)}`}
        className="figures font-display text-5xl leading-tight font-bold tracking-tight text-primary sm:text-6xl"
      >
        {formatTimeLeft(left)}
      </p>
      <p className="text-sm text-muted-foreground">
        hours : minutes : seconds, until <LocalTime at={options.deadline} timeOnly />
      </p>
    </div>
  );
}
