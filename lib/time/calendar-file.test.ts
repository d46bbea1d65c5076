import { createCalendarFile, type CalendarEntry } from "./calendar-file";

const entry: CalendarEntry = {
  uid: "1795400000000@boost50.example",
  startsAt: Date.parse("2026-11-22T18:40:00.001Z"),
  now: Date.parse("2026-11-22T14:40:00Z"),
  title: "Request 50 free likes",
  description: "The waiting time is over.",
  url: "https://boost50.example/",
};

const linesOf = (file: string) => file.split("\r\n");
/** Returns the lines of a file. Joins lines that were folded because of their length. */
const unfolded = (file: string) => linesOf(file.replaceAll("\r\n ", ""));

it("creates one event with an alarm, and rounds the times up to a full second", () => {
  expect(linesOf(createCalendarFile(entry))).toEqual([
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Boost50//Reminder//EN",
    "BEGIN:VEVENT",
    "UID:1795400000000@boost50.example",
    "DTSTAMP:20261122T144000Z",
    "DTSTART:20261122T184001Z",
    "DURATION:PT15M",
    "TRANSP:TRANSPARENT",
    "SUMMARY:Request 50 free likes",
    "DESCRIPTION:The waiting time is over.",
    "URL:https://boost50.example/",
    "BEGIN:VALARM",
    "ACTION:DISPLAY",
    "DESCRIPTION:Request 50 free likes",
    "TRIGGER:PT0S",
    "END:VALARM",
    "END:VEVENT",
    "END:VCALENDAR",
    "",
  ]);
});

it("escapes special characters in text values but not in the URL", () => {
  const lines = unfolded(
    createCalendarFile({ ...entry, title: "a,b;c\\d\ne\r\nf", url: "https://a.example/?b=c,d;e" }),
  );
  expect(lines).toContain("SUMMARY:a\\,b\\;c\\\\d\\ne\\nf");
  expect(lines).toContain("URL:https://a.example/?b=c,d;e");
});

it.each([66, 67, 68, 200])(
  "folds a text of %d characters into lines of at most 75 octets, and loses no character",
  (length) => {
    const title = "x".repeat(length);
    const file = createCalendarFile({ ...entry, title });
    expect(linesOf(file).filter((line) => Buffer.byteLength(line) > 75)).toEqual([]);
    expect(unfolded(file)).toContain(`SUMMARY:${title}`);
  },
);

it("never splits a character at the end of a line", () => {
  const title = "é💜".repeat(40);
  const file = createCalendarFile({ ...entry, title });
  expect(linesOf(file).filter((line) => Buffer.byteLength(line) > 75 || line.includes("\ufffd"))).toEqual([]);
  expect(unfolded(file)).toContain(`SUMMARY:${title}`);
});
