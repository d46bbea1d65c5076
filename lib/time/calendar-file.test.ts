import { createCalendarFile } from "./calendar-file";

it("writes an event with an alarm, in lines of at most 75 octets", () => {
  const startsAt = Date.UTC(2026, 10, 22, 18, 39, 59, 1);
  const file = createCalendarFile(
    startsAt,
    Date.UTC(2026, 10, 22, 14, 40),
    new URL("https://likes.example/"),
  );
  const lines = file.split("\r\n");
  expect(lines).toEqual([
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Boost50//Reminder//EN",
    "BEGIN:VEVENT",
    `UID:${startsAt}@likes.example`,
    "DTSTAMP:20261122T144000Z",
    "DTSTART:20261122T184000Z",
    "DURATION:PT15M",
    "TRANSP:TRANSPARENT",
    "SUMMARY:Request 50 free likes",
    "DESCRIPTION:The waiting time is over. Start with the link of your post.",
    "URL:https://likes.example/",
    "BEGIN:VALARM",
    "ACTION:DISPLAY",
    "DESCRIPTION:Request 50 free likes",
    "TRIGGER:PT0S",
    "END:VALARM",
    "END:VEVENT",
    "END:VCALENDAR",
    "",
  ]);
  expect(lines.filter((line) => Buffer.byteLength(line) > 75)).toEqual([]);
});
