import { Button } from "@/components/ui/button";
import { CalendarIcon } from "lucide-react";
import { createCalendarFile } from "@/lib/time/calendar-file";
import { saveFile, useCanSaveFiles } from "@/lib/client/browser/save-file";
import { pages } from "@/lib/http/pages";

/** Renders a button that saves a calendar entry for `at` (ISO 8601), if the browser can save files. */
export function AddToCalendar({ at }: { at: string }) {
  if (!useCanSaveFiles()) return null;
  function save() {
    const home = new URL(pages.home.path, window.location.origin);
    saveFile("free-likes.ics", "text/calendar", createCalendarFile(Date.parse(at), Date.now(), home));
  }
  return (
    <Button onClick={save} className="max-sm:w-full">
      <CalendarIcon />
      Add to calendar
    </Button>
  );
}
