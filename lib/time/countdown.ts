import type { TimeLeft } from "@/lib/schemas/api-responses";

/** Splits milliseconds into hours, minutes and seconds. Rounds up, so that a countdown never ends early. */
export function splitTime(milliseconds: number): TimeLeft {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1_000));
  return {
    hours: Math.floor(seconds / 3_600),
    minutes: Math.floor((seconds % 3_600) / 60),
    seconds: seconds % 60,
  };
}

/** Formats a remaining time as "04:00:00". */
export function formatTimeLeft({ hours, minutes, seconds }: TimeLeft): string {
  return [hours, minutes, seconds].map((part) => String(part).padStart(2, "0")).join(":");
}

/** Formats a remaining time as "3 hours 5 minutes", for sentences and screen readers. */
export function describeTimeLeft({ hours, minutes }: TimeLeft): string {
  const parts = [
    hours > 0 ? `${hours} ${hours === 1 ? "hour" : "hours"}` : "",
    minutes > 0 ? `${minutes} ${minutes === 1 ? "minute" : "minutes"}` : "",
  ].filter(Boolean);
  return parts.join(" ") || "less than a minute";
}
