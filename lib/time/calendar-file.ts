export interface CalendarEntry {
  /** The same for the same event, so that a calendar that is given it twice keeps one. */
  uid: string;
  /** Milliseconds since 1970; a begun second counts as over. */
  startsAt: number;
  /** When the file is made. */
  now: number;
  title: string;
  description: string;
  url: string;
}

/** The text of an .ics file with one entry that takes no time and rings when it starts (RFC 5545). */
export function calendarFile({ uid, startsAt, now, title, description, url }: CalendarEntry): string {
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Boost50//Reminder//EN",
    "BEGIN:VEVENT",
    `UID:${uid}`,
    `DTSTAMP:${utc(now)}`,
    `DTSTART:${utc(startsAt)}`,
    // Some calendars show nothing of what ends as it starts.
    "DURATION:PT15M",
    "TRANSP:TRANSPARENT",
    `SUMMARY:${escaped(title)}`,
    `DESCRIPTION:${escaped(description)}`,
    `URL:${url}`,
    "BEGIN:VALARM",
    "ACTION:DISPLAY",
    `DESCRIPTION:${escaped(title)}`,
    "TRIGGER:PT0S",
    "END:VALARM",
    "END:VEVENT",
    "END:VCALENDAR",
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join("");
}

/** "20261122T184000Z" */
function utc(milliseconds: number): string {
  const wholeSecond = new Date(Math.ceil(milliseconds / 1_000) * 1_000);
  return wholeSecond.toISOString().replaceAll(/[-:]|\.\d+/g, "");
}

function escaped(text: string): string {
  return text.replaceAll(/[\\;,]/g, "\\$&").replaceAll(/\r?\n/g, "\\n");
}

const encoder = new TextEncoder();
const longestLine = 75;

/** Lines have 75 octets at most; what follows begins with a space. No character is cut in two. */
function folded(line: string): string {
  let text = "";
  let octets = 0;
  for (const character of line) {
    const size = encoder.encode(character).length;
    if (octets + size > longestLine) {
      text += "\r\n ";
      octets = 1;
    }
    text += character;
    octets += size;
  }
  return text;
}
