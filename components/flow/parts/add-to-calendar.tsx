"use client";

import { Button } from "@/components/ui/button";
import { CalendarIcon } from "@/components/ui/icons";
import { calendarFile } from "@/lib/time/calendar-file";
import { saveFile, canSaveFiles } from "@/lib/client/browser/save-file";
import { useBrowserValue } from "@/lib/client/hooks/use-browser-value";
import { limits } from "@/lib/config/limits";
import { pages } from "@/lib/http/routes";

/** Saves the end of a wait (ISO) as a calendar entry. Not there where the browser saves no files. */
export function AddToCalendar({ at }: { at: string }) {
  const offered = useBrowserValue(() => canSaveFiles(navigator.userAgent), false);
  if (!offered) return null;
  return (
    <Button
      variant="outline"
      size="sm"
      onClick={() => saveFile("free-likes.ics", "text/calendar", entryFor(at))}
    >
      <CalendarIcon />
      Add to calendar
    </Button>
  );
}

function entryFor(at: string): string {
  const { host, origin } = window.location;
  const url = origin + pages.home.path;
  const startsAt = Date.parse(at);
  return calendarFile({
    uid: `${startsAt}@${host}`,
    startsAt,
    now: Date.now(),
    title: `Request ${limits.likesPerRequest} free likes`,
    description: `The waiting time is over. Start with the link of your post: ${url}`,
    url,
  });
}
