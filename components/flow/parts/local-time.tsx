"use client";

import { useBrowserValue } from "@/lib/client/hooks/use-browser-value";
import { describeMoment, type MomentFormat } from "@/lib/time/local-time";

export interface LocalTimeProps {
  /** ISO 8601 timestamp. */
  at: string;
  format?: MomentFormat;
  /** Current time in milliseconds since 1970. The default is the time of the browser's clock. */
  now?: number;
}

/** Renders a timestamp. The server's HTML shows GMT. After hydration, shows the visitor's time zone. */
export function LocalTime({ at, format = "date", now }: LocalTimeProps) {
  const text = useBrowserValue(() => browserText(at, format, now), serverText(at, format));
  return <time dateTime={at}>{text}</time>;
}

function browserText(at: string, format: MomentFormat, now = Date.now()): string {
  return describeMoment(Date.parse(at), format, now);
}

function serverText(at: string, format: MomentFormat): string {
  const moment = Date.parse(at);
  return `${describeMoment(moment, format === "day" ? "date" : format, moment, "UTC")} GMT`;
}
