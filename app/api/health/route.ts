import { apiRoute } from "@/lib/server/api-route";
import { requireToken } from "@/lib/server/bearer-token";
import { getEnv } from "@/lib/server/env";
import { getInbox } from "@/lib/server/inbox";
import { getBooks } from "@/lib/server/likes";
import { getRedis } from "@/lib/server/redis/client";
import { probeWriting, readRedisState } from "@/lib/server/redis/probe";
import { z } from "zod";

export const dynamic = "force-dynamic";

const query = z.object({ deep: z.string().optional() });

/**
 * Alive: 200 without any data. `?deep=1` with the health token also says how Redis, orders, budget and inbox stand, and
 * is 503 when Redis takes no writes, as are all requests that need one.
 */
export const GET = apiRoute(
  { name: "health", query, sameOrigin: false },
  async ({ query: { deep }, bearerToken, readAddress }) => {
    if (deep !== "1") return { status: "ok" };
    requireToken(bearerToken, getEnv().healthToken);
    const startedAt = performance.now();
    await probeWriting(getRedis());
    const latencyMs = Math.round(performance.now() - startedAt);
    const { now, likesUsed, totalLimit, open, oldestAt } = await getBooks().overview();
    return {
      status: "ok",
      redis: { latencyMs, ...(await readRedisState(getRedis())) },
      orders: {
        open,
        oldestAgeSeconds: oldestAt === null ? null : Math.floor((now - oldestAt) / 1_000),
      },
      budget: { likesUsed, likesLeft: Math.max(0, totalLimit - likesUsed), totalLimit },
      inbox: { unmailed: await getInbox().countUnmailed() },
      // npm run doctor compares it with where it asked from.
      you: { address: readAddress() },
    };
  },
);
