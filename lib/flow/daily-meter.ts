import type { DailyLimit } from "@/lib/http/api-responses";
import { limits } from "@/lib/config/limits";

/** The meter's healthy, busy and nearly-empty look; the colours are the theme's. */
export type MeterTone = "primary" | "warning" | "destructive";

/** Tone by the used share in percent, not rounded: up to 70 % healthy, above that warning, above 90 % red. */
export function meterTone(percentUsed: number): MeterTone {
  if (percentUsed > 90) return "destructive";
  return percentUsed > 70 ? "warning" : "primary";
}

/** The warning by the remaining share, or null while 30 % or more remain. */
export function meterWarning(limit: {
  likesRemaining: number;
  totalLimit: number;
  reached: boolean;
}): string | null {
  if (limit.reached) return "Daily limit reached! Come back tomorrow for more likes.";
  const remaining = limit.likesRemaining / limit.totalLimit;
  if (remaining < 0.05) return "Almost gone! Get your likes now before they're all used up today.";
  if (remaining < 0.15) return "Today's likes are going fast! Don't miss out.";
  if (remaining < 0.3) return "Daily likes are running low! Act now before they're gone.";
  return null;
}

/**
 * The daily limit as the API tells it. Times in milliseconds since 1970.
 *
 * @param usage likes charged today (reservations included), the limit, the clock and the next reset
 */
export function dailyLimitOf(usage: {
  likesUsed: number;
  totalLimit: number;
  now: number;
  resetsAt: number;
}): DailyLimit {
  const likesRemaining = Math.max(0, usage.totalLimit - usage.likesUsed);
  return {
    // Rounded down: it says 100 only when all is used.
    percentUsed: Math.min(100, Math.floor((usage.likesUsed / usage.totalLimit) * 100)),
    likesRemaining,
    likesUsed: usage.likesUsed,
    totalLimit: usage.totalLimit,
    reached: likesRemaining < limits.likesPerRequest,
    secondsUntilReset: Math.max(0, Math.ceil((usage.resetsAt - usage.now) / 1_000)),
    resetsAt: new Date(usage.resetsAt).toISOString(),
  };
}
