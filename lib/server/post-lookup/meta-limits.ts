import "server-only";
import type { IncomingHttpHeaders } from "node:http";
import { z } from "zod";

/** Usage of a Meta limit, in percent, from which lookups pause before Meta rejects them. */
const pauseThreshold = 95;
const defaultCoolOffSeconds = 300;

/** Header `X-App-Usage`: used percentages of the app's hourly limits. */
const appUsageSchema = z.object({
  call_count: z.number().optional(),
  total_time: z.number().optional(),
  total_cputime: z.number().optional(),
});
/** Header `X-Business-Use-Case-Usage`: used percentages per business, and minutes until access returns. */
const businessUsageSchema = z.record(
  z.string(),
  z.array(appUsageSchema.extend({ estimated_time_to_regain_access: z.number().optional() })),
);

/**
 * Computes the pause from Meta's usage headers, which come with any status.
 *
 * @param isRateLimited true when Meta rejected the request for too many calls
 * @returns seconds, or null when no pause is needed
 */
export function coolOffSeconds(headers: IncomingHttpHeaders, isRateLimited: boolean): number | null {
  const app = appUsageSchema.safeParse(parseJson(headers["x-app-usage"])).data;
  const business = businessUsageSchema.safeParse(parseJson(headers["x-business-use-case-usage"])).data;
  const businessUsages = Object.values(business ?? {}).flat();
  const usages = [...(app ? [app] : []), ...businessUsages];
  const usedPercent = Math.max(
    0,
    ...usages.flatMap((usage) => [usage.call_count ?? 0, usage.total_time ?? 0, usage.total_cputime ?? 0]),
  );
  if (!isRateLimited && usedPercent < pauseThreshold) return null;
  const minutes = Math.max(0, ...businessUsages.map((usage) => usage.estimated_time_to_regain_access ?? 0));
  return minutes * 60 || retryAfterSeconds(headers) || defaultCoolOffSeconds;
}

/** Returns the seconds of `Retry-After`, which is a number or a date; 0 without a valid header. */
function retryAfterSeconds(headers: IncomingHttpHeaders): number {
  const value = headers["retry-after"] ?? "";
  if (/^\d+$/.test(value)) return Number(value);
  const seconds = (Date.parse(value) - Date.now()) / 1_000;
  return seconds > 0 ? seconds : 0;
}

/** Parses a JSON header. Returns undefined for a repeated or malformed header. */
function parseJson(json: string | string[] | undefined): unknown {
  try {
    return typeof json === "string" ? JSON.parse(json) : undefined;
  } catch {
    return undefined;
  }
}
