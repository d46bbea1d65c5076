import { apiRoute } from "@/lib/server/http/api-route";
import { getLedger } from "@/lib/server/likes";
import { describeStatus } from "@/lib/server/likes/describe-status";

export const dynamic = "force-dynamic";

/** Returns whether the visitor can request likes now. If not, returns the limit and the remaining wait. */
export const GET = apiRoute({ name: "status" }, async ({ visitor }) =>
  describeStatus(await getLedger().status(visitor)),
);
