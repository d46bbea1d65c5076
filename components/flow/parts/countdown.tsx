"use client";

import type { ReactNode } from "react";
import { LocalTime } from "@/components/flow/parts/local-time";
import { Progress } from "@/components/ui/progress";
import { useCountdown, type CountdownOptions } from "@/lib/client/hooks/use-countdown";
import { describeTimeLeft, formatTimeLeft } from "@/lib/time/countdown";

export interface CountdownProps extends CountdownOptions {
  /** Length of the whole wait. If this is undefined, the countdown has no bar. */
  totalSeconds?: number;
  children?: ReactNode;
}

/** Renders the time that remains until `deadline`, and the deadline in the visitor's time zone. */
export function Countdown({ totalSeconds, children, ...options }: CountdownProps) {
  const left = useCountdown(options);
  const secondsLeft = (left.hours * 60 + left.minutes) * 60 + left.seconds;
  return (
    <div className="flex flex-col items-start gap-1">
      <p
        role="timer"
        aria-label={`Time left: ${describeTimeLeft(left)}`}
        className="tabular-nums font-display text-[min(3rem,14vw)] leading-tight font-bold tracking-tight text-primary sm:text-6xl"
      >
        {formatTimeLeft(left)}
      </p>
      <p className="text-sm text-muted-foreground">hours : minutes : seconds</p>
      {totalSeconds && (
        <Progress
          value={100 - (secondsLeft * 100) / totalSeconds}
          label="Part of the wait that is over"
          className="mt-2 mb-1"
        />
      )}
      <p className="mt-1 mb-2">
        until{" "}
        <strong className="font-semibold">
          <LocalTime at={options.deadline} format="day" besideCountdown />
        </strong>
      </p>
      {children}
    </div>
  );
}
