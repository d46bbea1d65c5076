import "server-only";
import type { IncomingHttpHeaders } from "node:http";
import { z } from "zod";

/** The server pauses lookups when Meta reports that at least this percentage of a limit is used. */
const pauseThreshold = 95;
const defaultCoolOffSeconds = 300;

/** Format of the header `X-App-Usage`. Each number says how many percent of an hourly limit are used. */
const appUsageSchema = z.object({
  call_count: z.number().optional(),
  total_time: z.number().optional(),
  total_cputime: z.number().optional(),
});
/** Format of `X-Business-Use-Case-Usage`: usage percentages for each business, and a wait in minutes. */
const businessUsageSchema = z.record(
  z.string(),
  z.array(appUsageSchema.extend({ estimated_time_to_regain_access: z.number().optional() })),
);

/**
 * Reads the headers of Meta's response, and computes how long the server must pause lookups. A successful
 * response can have these headers, too.
 *
 * @param isRateLimited true if Meta rejected the request because of too many calls
 * @returns the pause in seconds, or null if no pause is needed
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

/** Returns the seconds from `Retry-After`, which is a number or a date. Returns 0 without a valid header. */
function retryAfterSeconds(headers: IncomingHttpHeaders): number {
  const value = headers["retry-after"] ?? "";
  if (/^\d+$/.test(value)) return Number(value);
  const seconds = (Date.parse(value) - Date.now()) / 1_000;
  return seconds > 0 ? seconds : 0;
}

/** Parses a header that contains JSON. Returns undefined for a missing, repeated or malformed header. */
function parseJson(json: string | string[] | undefined): unknown {
  try {
    return typeof json === "string" ? JSON.parse(json) : undefined;
  } catch {
    return undefined;
  }
}
