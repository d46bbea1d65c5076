import { apiRoute } from "@/lib/server/api-route";
import { requireToken } from "@/lib/server/bearer-token";
import { getEnv } from "@/lib/server/env";
import { getLedger } from "@/lib/server/likes";
import { z } from "zod";

export const dynamic = "force-dynamic";

const query = z.object({ deep: z.string().optional() });

/** Alive: 200 without any data. `?deep=1` with the health token also asks Redis. */
export const GET = apiRoute(
  { name: "health", query, sameOrigin: false },
  async ({ query: { deep }, bearerToken }) => {
    if (deep !== "1") return { status: "ok" };
    requireToken(bearerToken, getEnv().healthToken);
    const startedAt = performance.now();
    const { likesUsed, totalLimit } = await getLedger().dailyUsage();
    return {
      status: "ok",
      redis: { latencyMs: Math.round(performance.now() - startedAt) },
      budget: { likesUsed, totalLimit },
    };
  },
);
