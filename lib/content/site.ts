import { limits } from "@/lib/config/limits";

/** Words that several pages share. */

export const cooldownHours = limits.cooldownSeconds / 3_600;

/** A whole number as people write it: 100,000. */
export function formatNumber(value: number): string {
  return value.toLocaleString("en-US");
}

/** A day as YYYY-MM-DD, as people write it: November 20, 2026. */
export function formatDay(day: string): string {
  return new Date(`${day}T00:00:00Z`).toLocaleDateString("en-US", { dateStyle: "long", timeZone: "UTC" });
}

/** Instagram's own help pages. Linked, never fetched. */
export const instagramHelpUrl = "https://help.instagram.com";

/** What the demo is, wherever it has to be said at length. */
export const demoExplained =
  "In demo mode everything works as it would otherwise, from the human check to the countdown, but no " +
  "likes are sent to Instagram. A banner at the top of every page says so.";

/** Stands beside figures and voices that are made up as examples. */
export const sampleLabel = "Sample content";
/** Stands beside the times that nobody has measured yet. */
export const estimateLabel = "Operator's estimate";
