"use client";

import { useBrowserValue } from "@/lib/client/hooks/use-browser-value";
import { describeMoment, type MomentForm } from "@/lib/time/local-time";

export interface LocalTimeProps {
  /** ISO. */
  at: string;
  /** With its date unless told otherwise. */
  form?: MomentForm;
  /** The time by a better clock than the visitor's, in milliseconds since 1970. */
  now?: number;
}

/**
 * A moment: in GMT, and without "today", in the server's HTML; in the visitor's own time zone once the script is there.
 */
export function LocalTime({ at, form = "date", now }: LocalTimeProps) {
  const text = useBrowserValue(() => inBrowser(at, form, now), beforeScript(at, form));
  return <time dateTime={at}>{text}</time>;
}

function inBrowser(at: string, form: MomentForm, now = Date.now()): string {
  return describeMoment(Date.parse(at), form, now);
}

function beforeScript(at: string, form: MomentForm): string {
  const moment = Date.parse(at);
  return `${describeMoment(moment, form === "day" ? "date" : form, moment, "UTC")} GMT`;
}
