import { apiRoute } from "@/lib/server/http/api-route";
import { getLedger } from "@/lib/server/likes";
import { describeStatus } from "@/lib/server/likes/describe-status";

export const dynamic = "force-dynamic";

export const GET = apiRoute({ name: "status", addressRateLimit: "status" }, async ({ visitor }) =>
  describeStatus(await getLedger().status(visitor)),
);
