import type { ReactNode } from "react";
import { AddToCalendar } from "@/components/flow/parts/add-to-calendar";
import { LocalTime } from "@/components/flow/parts/local-time";
import type { DailyLimit } from "@/lib/schemas/api-responses";
import { dailyLimitMessage, formatNumber } from "@/lib/content/site";
import { describeTimeLeft, splitTime } from "@/lib/time/countdown";

export interface DailyLimitPanelProps {
  message?: string;
  /** Undefined if the page could not load today's usage. */
  limit: DailyLimit | undefined;
  /** True adds the button that saves a calendar entry. */
  calendar?: boolean;
}

/** Says that today's likes are used up, and when visitors can request likes again. */
export function DailyLimitPanel({ message = dailyLimitMessage, limit, calendar }: DailyLimitPanelProps) {
  return (
    <div
      role="alert"
      className="flex flex-col items-start justify-center gap-3 rounded border bg-muted p-3.5 sm:p-6"
    >
      <h2 className="text-h3">Daily Limit Reached</h2>
      <p>{message}</p>
      {limit && (
        <dl className="tabular-nums flex flex-wrap gap-x-6 gap-y-2">
          <div className="w-full">
            <dt className="text-sm text-muted-foreground">Available again in: </dt>
            <dd className="font-display text-2xl font-bold">
              {describeTimeLeft(splitTime(limit.secondsUntilReset * 1_000))}
            </dd>
          </div>
          <Row name="Resets at">
            <time dateTime={limit.resetsAt}>{`${limit.resetsAt.slice(11, 16)} GMT`}</time>
          </Row>
          <Row name="Your time">
            <LocalTime at={limit.resetsAt} format="day" besideCountdown />
          </Row>
          <Row name="Daily limit">{`${formatNumber(limit.totalLimit)} likes`}</Row>
        </dl>
      )}
      {calendar && limit && <AddToCalendar at={limit.resetsAt} />}
    </div>
  );
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="text-sm">
      <dt className="inline text-muted-foreground">{`${name}: `}</dt>
      <dd className="inline font-medium">{children}</dd>
    </div>
  );
}
