import { useSyncExternalStore } from "react";
import { serverNow } from "@/lib/client/browser/server-clock";
import { attempt, findTimeZone } from "@/lib/client/browser/interfaces";
import { describeTimeLeft, splitTime } from "@/lib/time/countdown";
import { describeMoment, type MomentFormat } from "@/lib/time/local-time";

export interface LocalTimeProps {
  /** ISO 8601 timestamp. */
  at: string;
  format?: MomentFormat;
  /** True if a countdown to this time stands beside it. */
  besideCountdown?: boolean;
}

/** Renders a timestamp in the visitor's time zone. If the browser hides the zone, shows GMT and the remaining time. */
export function LocalTime({ at, format = "date", besideCountdown }: LocalTimeProps) {
  const gmt = `${describeMoment(Date.parse(at), format === "day" ? "date" : format, 0, "UTC")} GMT`;

  function read(): string {
    const [moment, now, zone] = [Date.parse(at), serverNow(), findTimeZone()];
    const local = zone && attempt(() => describeMoment(moment, format, now, zone));
    if (local || besideCountdown || moment - now < 60_000) return local || gmt;
    return `${gmt} (in ${describeTimeLeft(splitTime(moment - now))})`;
  }

  return <time dateTime={at}>{useSyncExternalStore(subscribe, read, () => gmt)}</time>;
}

function subscribe(onChange: () => void): () => void {
  const timer = setInterval(onChange, 10_000);
  return () => clearInterval(timer);
}
