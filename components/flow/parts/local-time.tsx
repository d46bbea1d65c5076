"use client";

import { useBrowserValue } from "@/lib/client/hooks/use-browser-value";
import { describeMoment, type MomentForm } from "@/lib/time/local-time";

export interface LocalTimeProps {
  /** ISO 8601 timestamp. */
  at: string;
  form?: MomentForm;
  /** Current time in milliseconds since 1970; the browser's clock by default. */
  now?: number;
}

/** Renders a timestamp: in GMT in the server's HTML, in the visitor's time zone after hydration. */
export function LocalTime({ at, form = "date", now }: LocalTimeProps) {
  const text = useBrowserValue(() => browserText(at, form, now), serverText(at, form));
  return <time dateTime={at}>{text}</time>;
}

function browserText(at: string, form: MomentForm, now = Date.now()): string {
  return describeMoment(Date.parse(at), form, now);
}

function serverText(at: string, form: MomentForm): string {
  const moment = Date.parse(at);
  return `${describeMoment(moment, form === "day" ? "date" : form, moment, "UTC")} GMT`;
}
