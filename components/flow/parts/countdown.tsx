"use client";

import type { ReactNode } from "react";
import { LocalTime } from "@/components/flow/parts/local-time";
import { DotGrid } from "@/components/ui/dot-grid";
import { serverNow } from "@/lib/client/api/server-clock";
import { useCountdown, type CountdownOptions } from "@/lib/client/hooks/use-countdown";
import { describeTimeLeft, formatTimeLeft } from "@/lib/time/countdown";
import { countFilledDots, dotGrid } from "@/lib/brand/dot-grid";

export interface CountdownProps extends CountdownOptions {
  /** Length of the whole wait. If this is undefined, the countdown has no dot grid. */
  totalSeconds?: number;
  children?: ReactNode;
}

/** Renders the time that remains until `deadline`, and the deadline in the visitor's time zone. */
export function Countdown({ totalSeconds, children, ...options }: CountdownProps) {
  const left = useCountdown(options);
  const secondsLeft = (left.hours * 60 + left.minutes) * 60 + left.seconds;
  return (
    <div className="flex flex-col justify-between gap-6 sm:flex-row sm:items-center">
      <div className="flex flex-col items-start gap-1">
        <p
          role="timer"
          aria-label={`Time left: ${describeTimeLeft(left)}`}
          className="figures font-display text-5xl leading-tight font-bold tracking-tight text-primary sm:text-6xl"
        >
          {formatTimeLeft(left)}
        </p>
        <p className="text-sm text-muted-foreground">hours : minutes : seconds</p>
        <p className="mt-1 mb-2">
          until{" "}
          <strong className="font-semibold">
            <LocalTime at={options.deadline} format="day" now={serverNow(options.serverTime)} />
          </strong>
        </p>
        {children}
      </div>
      {totalSeconds && (
        <Refill filled={countFilledDots(totalSeconds - secondsLeft, totalSeconds)} whole={totalSeconds} />
      )}
    </div>
  );
}

function Refill({ filled, whole }: { filled: number; whole: number }) {
  return (
    <div className="flex flex-col gap-2.5 sm:w-64">
      <DotGrid filled={filled} />
      <p className="figures text-xs text-muted-foreground">
        {`${filled} of ${dotGrid.dots} refilled, one every ${whole / 60 / dotGrid.dots} minutes`}
      </p>
    </div>
  );
}
