const minutes = { hour: "2-digit", minute: "2-digit" } as const;
const date = { day: "numeric", month: "short", year: "numeric" } as const;

/** The ways to write a moment: with its date, by its day as people say it, or as a time alone. */
export type MomentForm = "date" | "day" | "time";

/**
 * A moment in words: "22 Nov 2026, 18:40"; by its day "today, 18:40" or "tomorrow, 01:12", with its date where it is
 * neither; or "18:40".
 *
 * @param at milliseconds since 1970
 * @param now the same, for what is today
 * @param timeZone the visitor's unless given
 */
export function describeMoment(at: number, form: MomentForm, now: number, timeZone?: string): string {
  const time = format(at, minutes, timeZone);
  if (form === "time") return time;
  const day = form === "day" ? nearDays[dayOf(at, timeZone) - dayOf(now, timeZone)] : undefined;
  return `${day ?? format(at, date, timeZone)}, ${time}`;
}

/** By how many days from now they are. */
const nearDays = ["today", "tomorrow"];

/** The number of the calendar day, which changes at the zone's midnight, however long its days are. */
function dayOf(at: number, timeZone?: string): number {
  const parts = new Intl.DateTimeFormat("en-GB", {
    year: "numeric",
    month: "numeric",
    day: "numeric",
    timeZone,
  });
  const valueOf = Object.fromEntries(parts.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const { year = NaN, month = NaN, day = NaN } = valueOf;
  return Date.UTC(year, month - 1, day) / 86_400_000;
}

function format(at: number, fields: Intl.DateTimeFormatOptions, timeZone?: string): string {
  return new Intl.DateTimeFormat("en-GB", { ...fields, timeZone }).format(at);
}
