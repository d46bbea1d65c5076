import { findTimeZone } from "@/lib/client/browser/interfaces";
import { describeMoment } from "@/lib/time/local-time";
import { timeZones } from "./time-zones";

test.each(timeZones)("$source: $input.moment in $input.zone is $expected", ({ input, expected }) => {
  const options = jest.spyOn(Intl.DateTimeFormat.prototype, "resolvedOptions");
  options.mockReturnValue({ timeZone: input.zone } as Intl.ResolvedDateTimeFormatOptions);
  const zone = findTimeZone();
  options.mockRestore();
  const { moment, now } = input;
  expect(zone && describeMoment(Date.parse(moment), "day", Date.parse(now), zone)).toBe(expected);
});
