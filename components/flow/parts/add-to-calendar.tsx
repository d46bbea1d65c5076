"use client";

import { Button } from "@/components/ui/button";
import { CalendarIcon } from "@/components/ui/icons";
import { createCalendarFile } from "@/lib/time/calendar-file";
import { saveFile, canSaveFiles } from "@/lib/client/browser/save-file";
import { useBrowserValue } from "@/lib/client/hooks/use-browser-value";
import { limits } from "@/lib/config/limits";
import { pages } from "@/lib/http/pages";

/**
 * Renders a button that saves a calendar entry for the time `at` (ISO 8601). Renders nothing if the browser
 * cannot save files.
 */
export function AddToCalendar({ at }: { at: string }) {
  const supported = useBrowserValue(() => canSaveFiles(navigator.userAgent), false);
  if (!supported) return null;
  return (
    <Button
      variant="outline"
      size="sm"
      onClick={() => saveFile("free-likes.ics", "text/calendar", createEntry(at))}
    >
      <CalendarIcon />
      Add to calendar
    </Button>
  );
}

function createEntry(at: string): string {
  const { host, origin } = window.location;
  const url = origin + pages.home.path;
  const startsAt = Date.parse(at);
  return createCalendarFile({
    uid: `${startsAt}@${host}`,
    startsAt,
    now: Date.now(),
    title: `Request ${limits.likesPerRequest} free likes`,
    description: `The waiting time is over. Start with the link of your post: ${url}`,
    url,
  });
}
