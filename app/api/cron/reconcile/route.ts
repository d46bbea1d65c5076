import { apiRoute } from "@/lib/server/api-route";
import { requireToken } from "@/lib/server/bearer-token";
import { getEnv } from "@/lib/server/env";
import { runUpkeep } from "@/lib/server/upkeep";

export const dynamic = "force-dynamic";
/** Seconds a serverless host may let it run; a run ends itself before that. */
export const maxDuration = 60;

const run = apiRoute(
  { name: "reconcile", sameOrigin: false, mayTakeLonger: () => true },
  async ({ bearerToken }) => {
    requireToken(bearerToken, getEnv().cronSecret);
    return { success: true, ...(await runUpkeep()) };
  },
);

export const GET = run;
export const POST = run;
