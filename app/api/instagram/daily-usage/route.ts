import type { DailyUsageReply } from "@/lib/schemas/api-responses";
import { toDailyLimit } from "@/lib/flow/daily-meter";
import { getEnv } from "@/lib/server/config/env";
import { apiRoute } from "@/lib/server/http/api-route";
import { getLedger } from "@/lib/server/likes";

export const dynamic = "force-dynamic";

/** Returns today's used likes, the daily limit, and the time until the reset. */
export const GET = apiRoute(
  { name: "daily-usage", sameOrigin: false },
  async ({ response, afterResponse }) => {
    const dailyLimit = toDailyLimit(await getLedger().dailyUsage());
    // All visitors get the same response, so a CDN may cache it for 15 s, but never beyond the daily reset. The
    // header has no stale-while-revalidate, because browsers also obey it and would show old numbers.
    const sharedSeconds = Math.min(15, dailyLimit.secondsUntilReset);
    response.headers.set("cache-control", `public, max-age=0, s-maxage=${sharedSeconds}`);
    // Any visit of the home page finishes pending orders, also where cron runs only once a day.
    if (getEnv().isServerless)
      afterResponse(async () => (await import("@/lib/server/boot/maintenance")).reconcileAfterVisit());
    return { success: true, dailyLimit } satisfies DailyUsageReply;
  },
);
