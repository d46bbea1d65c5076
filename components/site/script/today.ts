import { formatDay } from "@/lib/content/site";

/** Sets every `<time data-today>` to the local date. The server-rendered HTML contains the build date. */
export function showToday(root: ParentNode, now: Date): void {
  const day = [
    now.getFullYear(),
    String(now.getMonth() + 1).padStart(2, "0"),
    String(now.getDate()).padStart(2, "0"),
  ].join("-");
  for (const time of root.querySelectorAll<HTMLTimeElement>("time[data-today]")) {
    time.dateTime = day;
    time.textContent = formatDay(day);
  }
}
