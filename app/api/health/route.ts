import { apiRoute, requireToken } from "@/lib/server/http/api-route";
import { getEnv } from "@/lib/server/config/env";
import { requestAddress } from "@/lib/server/identity/identify-visitor";
import { readHealthSnapshot } from "@/lib/server/boot/health-snapshot";
import { z } from "zod";

export const dynamic = "force-dynamic";

const query = z.object({ deep: z.string().optional() });

/** Responds 200. With `?deep=1` and the health token, sends a health snapshot, or 503 if Redis fails. */
export const GET = apiRoute(
  { name: "health", query, sameOrigin: false },
  async ({ request, query: { deep } }) => {
    if (deep !== "1") return { status: "ok" };
    requireToken(request, getEnv().healthToken);
    return {
      status: "ok",
      ...(await readHealthSnapshot()),
      // `npm run doctor` uses this address to check the proxy settings.
      you: { address: requestAddress(request) },
    };
  },
);
