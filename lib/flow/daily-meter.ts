import type { DailyLimit } from "@/lib/schemas/api-responses";
import { limits } from "@/lib/config/limits";

/** Returns the colour of the daily-limit meter: "warning" above 70 %, "destructive" above 90 %. */
export function meterTone(percentUsed: number): "primary" | "warning" | "destructive" {
  if (percentUsed > 90) return "destructive";
  return percentUsed > 70 ? "warning" : "primary";
}

/** Returns a warning text if less than 30 % of the likes remain. Otherwise returns null. */
export function meterWarning(limit: DailyLimit): string | null {
  if (limit.reached) return "Daily limit reached! Come back tomorrow for more likes.";
  const remaining = limit.likesRemaining / limit.totalLimit;
  if (remaining < 0.05) return "Almost gone! Get your likes now before they're all used up today.";
  if (remaining < 0.15) return "Today's likes are going fast! Don't miss out.";
  if (remaining < 0.3) return "Daily likes are running low! Act now before they're gone.";
  return null;
}

/** Converts today's usage to the format of the API. `now` and `resetsAt` are Unix timestamps (ms). */
export function toDailyLimit(usage: {
  likesUsed: number;
  totalLimit: number;
  now: number;
  resetsAt: number;
}): DailyLimit {
  const likesRemaining = Math.max(0, usage.totalLimit - usage.likesUsed);
  return {
    // Rounds down, so that the meter shows 100 % only when no likes remain.
    percentUsed: Math.min(100, Math.floor((usage.likesUsed / usage.totalLimit) * 100)),
    likesRemaining,
    likesUsed: usage.likesUsed,
    totalLimit: usage.totalLimit,
    reached: likesRemaining < limits.likesPerRequest,
    secondsUntilReset: Math.max(0, Math.ceil((usage.resetsAt - usage.now) / 1_000)),
    resetsAt: new Date(usage.resetsAt).toISOString(),
  };
}
