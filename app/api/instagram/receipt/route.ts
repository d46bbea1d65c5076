import type { LikeReply } from "@/lib/http/api-responses";
import { AppError } from "@/lib/http/errors";
import { cacheControl } from "@/lib/http/response-headers";
import { apiRoute } from "@/lib/server/http/api-route";

/** Returns the receipt in the flow cookies. Sends 404 before an order is accepted, and 403 without a flow. */
export const GET = apiRoute({ name: "receipt" }, async ({ readFlow, response }) => {
  const flow = await readFlow();
  if (!flow) throw new AppError("flow_required");
  if (!flow.receipt) throw new AppError("not_found");
  response.headers.set("cache-control", cacheControl.personal);
  return { success: true, order: flow.receipt } satisfies LikeReply;
});
