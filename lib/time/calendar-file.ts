import { limits } from "@/lib/config/limits";

/**
 * Returns an .ics file (RFC 5545) with one event and an alarm at its start. The time stays free. No text needs
 * escaping, and only a long URL exceeds 75 octets, the recommended length of a line.
 *
 * @param startsAt Unix timestamp in milliseconds, like `now`
 * @param home URL of the home page
 */
export function createCalendarFile(startsAt: number, now: number, home: URL): string {
  const title = `Request ${limits.likesPerRequest} free likes`;
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Boost50//Reminder//EN",
    "BEGIN:VEVENT",
    // When a visitor imports the file again, the calendar creates no second event.
    `UID:${startsAt}@${home.host}`,
    `DTSTAMP:${formatUtc(now)}`,
    `DTSTART:${formatUtc(startsAt)}`,
    // Some calendars hide events without a duration.
    "DURATION:PT15M",
    "TRANSP:TRANSPARENT",
    `SUMMARY:${title}`,
    "DESCRIPTION:The waiting time is over. Start with the link of your post.",
    `URL:${home.href}`,
    "BEGIN:VALARM",
    "ACTION:DISPLAY",
    `DESCRIPTION:${title}`,
    "TRIGGER:PT0S",
    "END:VALARM",
    "END:VEVENT",
    "END:VCALENDAR",
  ];
  return lines.map((line) => `${line}\r\n`).join("");
}

/** Formats a timestamp as "20261122T184000Z", rounded up to a full second. */
function formatUtc(milliseconds: number): string {
  const wholeSecond = new Date(Math.ceil(milliseconds / 1_000) * 1_000);
  return wholeSecond.toISOString().replaceAll(/[-:]|\.\d+/g, "");
}
