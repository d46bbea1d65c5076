import "server-only";
import type { IncomingHttpHeaders } from "node:http";
import { z } from "zod";

/** Share of a limit, in percent, from which on Meta is left alone before it refuses. */
const nearlyUsedUp = 95;
const defaultCoolOffSeconds = 300;

/** `X-App-Usage`: percentages of what the app may use within an hour. */
const appUsageShape = z.object({
  call_count: z.number().optional(),
  total_time: z.number().optional(),
  total_cputime: z.number().optional(),
});
/** `X-Business-Use-Case-Usage`: the same by business and use case, with the minutes until calls pass again. */
const businessUsageShape = z.record(
  z.string(),
  z.array(appUsageShape.extend({ estimated_time_to_regain_access: z.number().optional() })),
);

/**
 * How long Meta should be left alone, by the usage headers of an answer of any status.
 *
 * @param refused whether the answer itself was a refusal for too many calls
 * @returns seconds, or null when calls may go on
 */
export function coolOffSeconds(headers: IncomingHttpHeaders, refused: boolean): number | null {
  const app = appUsageShape.safeParse(parse(headers["x-app-usage"])).data;
  const business = businessUsageShape.safeParse(parse(headers["x-business-use-case-usage"])).data;
  const usages = [...(app ? [app] : []), ...Object.values(business ?? {}).flat()];
  const share = Math.max(
    0,
    ...usages.flatMap((usage) => [usage.call_count ?? 0, usage.total_time ?? 0, usage.total_cputime ?? 0]),
  );
  if (!refused && share < nearlyUsedUp) return null;
  const minutes = Math.max(
    0,
    ...Object.values(business ?? {})
      .flat()
      .map((usage) => usage.estimated_time_to_regain_access ?? 0),
  );
  return minutes * 60 || retryAfterSeconds(headers) || defaultCoolOffSeconds;
}

/** The seconds of `Retry-After`, which is a number or a date; 0 when it says nothing. */
function retryAfterSeconds(headers: IncomingHttpHeaders): number {
  const value = headers["retry-after"] ?? "";
  if (/^\d+$/.test(value)) return Number(value);
  const seconds = (Date.parse(value) - Date.now()) / 1_000;
  return seconds > 0 ? seconds : 0;
}

/** A header that came twice is none of Meta's. */
function parse(json: string | string[] | undefined): unknown {
  try {
    return typeof json === "string" ? JSON.parse(json) : undefined;
  } catch {
    return undefined;
  }
}
