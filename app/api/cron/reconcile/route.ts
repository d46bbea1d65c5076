import { apiRoute, requireToken } from "@/lib/server/http/api-route";
import { getEnv } from "@/lib/server/config/env";
import { runMaintenance } from "@/lib/server/boot/maintenance";

export const dynamic = "force-dynamic";
/** Time limit of this route on a serverless host, in seconds. Maintenance starts no delivery after 45 s. */
export const maxDuration = 60;

const run = apiRoute({ name: "reconcile", sameOrigin: false, skipDeadline: true }, async ({ request }) => {
  requireToken(request, getEnv().cronSecret);
  return { success: true, ...(await runMaintenance()) };
});

/** Runs maintenance. A cron service calls this route, with CRON_SECRET as Bearer token. */
export const GET = run;
export const POST = run;
