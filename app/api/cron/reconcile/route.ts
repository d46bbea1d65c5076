import { apiRoute } from "@/lib/server/api-route";
import { requireToken } from "@/lib/server/bearer-token";
import { getDelivery } from "@/lib/server/delivery";
import { getEnv } from "@/lib/server/env";
import { getLedger } from "@/lib/server/likes";
import { reconcile } from "@/lib/server/likes/reconcile";

export const dynamic = "force-dynamic";
/** Seconds a serverless host may let it run; a run ends itself before that. */
export const maxDuration = 60;

const run = apiRoute({ name: "reconcile", sameOrigin: false }, async ({ bearerToken }) => {
  requireToken(bearerToken, getEnv().cronSecret);
  return { success: true, ...(await reconcile(getLedger(), getDelivery())) };
});

export const GET = run;
export const POST = run;
