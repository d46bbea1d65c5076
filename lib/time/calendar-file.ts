export interface CalendarEntry {
  /** Identifier of the event. When a visitor imports the file again, the calendar creates no second event. */
  uid: string;
  /** Start of the event. `startsAt` and `now` are Unix timestamps in milliseconds. */
  startsAt: number;
  now: number;
  title: string;
  description: string;
  url: string;
}

/** Returns an .ics file (RFC 5545) with one event and an alarm at its start. The time stays free. */
export function createCalendarFile({ uid, startsAt, now, title, description, url }: CalendarEntry): string {
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Boost50//Reminder//EN",
    "BEGIN:VEVENT",
    `UID:${uid}`,
    `DTSTAMP:${formatUtc(now)}`,
    `DTSTART:${formatUtc(startsAt)}`,
    // Some calendars hide events without a duration.
    "DURATION:PT15M",
    "TRANSP:TRANSPARENT",
    `SUMMARY:${escapeText(title)}`,
    `DESCRIPTION:${escapeText(description)}`,
    `URL:${url}`,
    "BEGIN:VALARM",
    "ACTION:DISPLAY",
    `DESCRIPTION:${escapeText(title)}`,
    "TRIGGER:PT0S",
    "END:VALARM",
    "END:VEVENT",
    "END:VCALENDAR",
  ];
  return lines.map((line) => `${foldLine(line)}\r\n`).join("");
}

/** Formats a timestamp as "20261122T184000Z", rounded up to a full second. */
function formatUtc(milliseconds: number): string {
  const wholeSecond = new Date(Math.ceil(milliseconds / 1_000) * 1_000);
  return wholeSecond.toISOString().replaceAll(/[-:]|\.\d+/g, "");
}

function escapeText(text: string): string {
  return text.replaceAll(/[\\;,]/g, "\\$&").replaceAll(/\r?\n/g, "\\n");
}

const encoder = new TextEncoder();
const maxLineOctets = 75;

/** Breaks a line after at most 75 octets. Each continuation line starts with a space (RFC 5545, 3.1). */
function foldLine(line: string): string {
  let text = "";
  let octets = 0;
  for (const character of line) {
    const size = encoder.encode(character).length;
    if (octets + size > maxLineOctets) {
      text += "\r\n ";
      octets = 1;
    }
    text += character;
    octets += size;
  }
  return text;
}
