import { apiRoute } from "@/lib/server/http/api-route";
import { requireToken } from "@/lib/server/http/bearer-token";
import { getEnv } from "@/lib/server/config/env";
import { readHealthSnapshot } from "@/lib/server/boot/health-snapshot";
import { z } from "zod";

export const dynamic = "force-dynamic";

const query = z.object({ deep: z.string().optional() });

/** Responds 200. With `?deep=1` and the health token, sends a health snapshot, or 503 if Redis fails. */
export const GET = apiRoute(
  { name: "health", query, sameOrigin: false },
  async ({ query: { deep }, bearerToken, readAddress }) => {
    if (deep !== "1") return { status: "ok" };
    requireToken(bearerToken, getEnv().healthToken);
    return {
      status: "ok",
      ...(await readHealthSnapshot()),
      // `npm run doctor` uses this address to check the proxy settings.
      you: { address: readAddress() },
    };
  },
);
