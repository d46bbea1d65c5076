"use client";

import { useBrowserValue } from "@/lib/client/use-browser-value";

const style = {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
} as const;

/** A moment: in GMT in the server's HTML, in the visitor's own time zone once the script is there. */
export function LocalTime({ at, timeOnly = false }: { at: string; timeOnly?: boolean }) {
  const text = useBrowserValue(() => format(at, timeOnly), format(at, timeOnly, "UTC"));
  return <time dateTime={at}>{text}</time>;
}

function format(at: string, timeOnly: boolean, timeZone?: string): string {
  const fields = timeOnly ? { hour: style.hour, minute: style.minute } : style;
  const text = new Intl.DateTimeFormat("en-GB", { ...fields, timeZone }).format(new Date(at));
  return timeZone === "UTC" ? `${text} GMT` : text;
}
