import { formatDay } from "@/lib/content/site";

/** Sets every `<time data-today>` to the day of the visitor's calendar; the page came with the day of its build. */
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
