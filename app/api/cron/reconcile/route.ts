import { apiRoute } from "@/lib/server/http/api-route";
import { requireToken } from "@/lib/server/http/bearer-token";
import { getEnv } from "@/lib/server/config/env";
import { runMaintenance } from "@/lib/server/ops/maintenance";

export const dynamic = "force-dynamic";
/** Time limit on a serverless host, in seconds; a maintenance run ends earlier. */
export const maxDuration = 60;

const run = apiRoute(
  { name: "reconcile", sameOrigin: false, skipDeadline: () => true },
  async ({ bearerToken }) => {
    requireToken(bearerToken, getEnv().cronSecret);
    return { success: true, ...(await runMaintenance()) };
  },
);

export const GET = run;
export const POST = run;
