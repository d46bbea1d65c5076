import type { DailyUsageReply } from "@/lib/http/api-responses";
import { toDailyLimit } from "@/lib/flow/daily-meter";
import { apiRoute } from "@/lib/server/http/api-route";
import { getLedger } from "@/lib/server/likes";

export const dynamic = "force-dynamic";

/** Returns today's used likes, the daily limit, and the time until the reset. */
export const GET = apiRoute(
  { name: "daily-usage", addressRateLimit: "dailyUsage", sameOrigin: false },
  async ({ response }) => {
    const dailyLimit = toDailyLimit(await getLedger().dailyUsage());
    // All visitors get the same response, so a CDN may cache it for 15 s, but never beyond the daily reset.
    const untilReset = dailyLimit.secondsUntilReset;
    const fresh = Math.min(15, untilReset);
    const stale = Math.min(60, untilReset - fresh);
    response.headers.set(
      "cache-control",
      `public, max-age=0, s-maxage=${fresh}, stale-while-revalidate=${stale}`,
    );
    return { success: true, dailyLimit } satisfies DailyUsageReply;
  },
);
