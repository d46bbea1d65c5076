const timeFields = { hour: "2-digit", minute: "2-digit" } as const;
const dateFields = { day: "numeric", month: "short", year: "numeric" } as const;

/** Output format: "date" is "22 Nov 2026, 18:40", "day" is "today, 18:40" or a date, "time" is "18:40". */
export type MomentFormat = "date" | "day" | "time";

/** Formats the timestamp `at` (ms) in English. By default, uses the time zone of the device. */
export function describeMoment(at: number, form: MomentFormat, now: number, timeZone?: string): string {
  const time = format(at, timeFields, timeZone);
  if (form === "time") return time;
  const day = form === "day" ? relativeDayNames[dayOf(at, timeZone) - dayOf(now, timeZone)] : undefined;
  return `${day ?? format(at, dateFields, timeZone)}, ${time}`;
}

const relativeDayNames = ["today", "tomorrow"];

/** Returns the number of days from 1970-01-01 to the date of `at` in `timeZone`. */
function dayOf(at: number, timeZone?: string): number {
  // Swedish dates have the format of ISO 8601.
  return Date.parse(new Intl.DateTimeFormat("sv", { timeZone }).format(at)) / 86_400_000;
}

function format(at: number, fields: Intl.DateTimeFormatOptions, timeZone?: string): string {
  return new Intl.DateTimeFormat("en-GB", { ...fields, timeZone }).format(at);
}
