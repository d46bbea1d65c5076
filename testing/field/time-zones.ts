import type { Row } from "./row";

interface Clock {
  /** The zone that the browser reports. */
  zone: string | undefined;
  now: string;
  moment: string;
}

const afternoon = { now: "2026-11-22T15:00:00Z", moment: "2026-11-22T17:40:00Z" };

/** Time zones of browsers. Expected: the time that the pages show, or null if they show GMT. */
export const timeZones: Row<Clock, string | null>[] = [
  { input: { ...afternoon, zone: "Etc/Unknown" }, expected: null, source: "iamkun/dayjs#2560" },
  { input: { ...afternoon, zone: undefined }, expected: null, source: "moment/moment-timezone#322" },
  // The signs of POSIX: this zone is seven hours ahead of GMT.
  {
    input: { ...afternoon, zone: "Etc/GMT-7" },
    expected: "tomorrow, 00:40",
    source: "marnusw/date-fns-tz#50",
  },
  // In Cairo, summer time starts at midnight, so the day has no hour 0.
  {
    input: { zone: "Africa/Cairo", now: "2023-04-27T21:30:00Z", moment: "2023-04-27T22:00:00Z" },
    expected: "tomorrow, 01:00",
    source: "moment/moment-timezone#1058",
  },
  {
    input: { zone: "America/New_York", now: "2021-02-08T04:00:00Z", moment: "2021-02-08T05:00:00Z" },
    expected: "tomorrow, 00:00",
    source: "microsoft/vscode#117970",
  },
  {
    input: { zone: "Asia/Calcutta", now: "2023-11-19T12:03:00Z", moment: "2023-11-19T16:03:00Z" },
    expected: "today, 21:33",
    source: "nextcloud/server#41606",
  },
];
