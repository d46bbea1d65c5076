import { describeMoment } from "./local-time";

/* testing/field/time-zones.ts has more time zones. */

const at = (iso: string) => Date.parse(iso);

it.each([
  ["2026-11-22T17:40:00Z", "2026-11-22T15:00:00Z", "Europe/Berlin", "today, 18:40", "the same day"],
  ["2026-11-23T00:12:00Z", "2026-11-22T20:12:00Z", "Europe/Berlin", "tomorrow, 01:12", "past midnight"],
  ["2026-11-23T00:00:00Z", "2026-11-22T23:59:59Z", "UTC", "tomorrow, 00:00", "midnight"],
  ["2027-01-01T01:00:00Z", "2026-12-31T22:00:00Z", "UTC", "tomorrow, 01:00", "end of a year"],
  ["2026-10-25T22:30:00Z", "2026-10-24T22:30:00Z", "Europe/Berlin", "today, 23:30", "day with 25 hours"],
  ["2026-03-29T21:30:00Z", "2026-03-28T22:30:00Z", "Europe/Berlin", "tomorrow, 23:30", "day with 23 hours"],
  ["2026-11-24T12:00:00Z", "2026-11-22T20:00:00Z", "UTC", "24 Nov 2026, 12:00", "in two days"],
  ["2026-11-21T23:00:00Z", "2026-11-22T01:00:00Z", "UTC", "21 Nov 2026, 23:00", "yesterday"],
])("describes %s, with the current time %s in %s, as %s (%s)", (moment, now, timeZone, expected) => {
  expect(describeMoment(at(moment), "day", at(now), timeZone)).toBe(expected);
});

it("formats a moment as date and time, or as time only", () => {
  const moment = at("2026-11-22T23:05:00Z");
  expect(describeMoment(moment, "date", moment, "Asia/Tokyo")).toBe("23 Nov 2026, 08:05");
  expect(describeMoment(moment, "time", moment, "Asia/Tokyo")).toBe("08:05");
});
