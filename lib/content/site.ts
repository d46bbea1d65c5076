import { limits } from "@/lib/config/limits";

export const cooldownHours = limits.cooldownSeconds / 3_600;

/** Formats an integer with thousands separators: "100,000". */
export function formatNumber(value: number): string {
  return value.toLocaleString("en-US");
}

/** Formats the day "2026-11-20" as "November 20, 2026". */
export function formatDay(day: string): string {
  return new Date(`${day}T00:00:00Z`).toLocaleDateString("en-US", { dateStyle: "long", timeZone: "UTC" });
}

/** Name and postal address of the person or company that runs the site. */
export interface Operator {
  name: string;
  address: string | undefined;
}

/** Formats name and address on one line. Without an operator, as on most demo sites, returns a placeholder. */
export function describeOperator(operator: Operator | null): string {
  if (!operator) return "the operator of this site";
  return [operator.name, operator.address].filter(Boolean).join(", ");
}

export const demoExplanation =
  "In demo mode everything works as it would otherwise, from the human check to the countdown, but no request " +
  "goes to a real delivery service, no likes are sent to Instagram, and posts can be samples that nobody checks. A " +
  "banner at the top of every page says so.";

/** Label next to invented numbers and testimonials. */
export const sampleLabel = "Sample content";
/** Label next to times that nobody has measured. */
export const estimateLabel = "Estimate";

/** Shown when the likes of the day are used up. */
export const dailyLimitMessage = "Our daily API limit has been reached. Please try again tomorrow.";

/** Texts of the error pages. */
export const errorPages = {
  notFound: {
    title: "Page Not Found",
    description: "There is no page at this address. It may have moved, or the link has a typing mistake.",
  },
  failure: {
    title: "An error occurred",
    description: "Something went wrong on our side. Go back and try again, or start from the home page.",
  },
} as const;
