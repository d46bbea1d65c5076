import { apiRoute } from "@/lib/server/http/api-route";
import { requireToken } from "@/lib/server/http/bearer-token";
import { getEnv } from "@/lib/server/config/env";
import { readHealthSnapshot } from "@/lib/server/ops/health-snapshot";
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
    return {
      status: "ok",
      ...(await readHealthSnapshot()),
      // npm run doctor compares it with where it asked from.
      you: { address: readAddress() },
    };
  },
);
