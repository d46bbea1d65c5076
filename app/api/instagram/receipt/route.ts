import type { ReceiptReply } from "@/lib/schemas/api-responses";
import { AppError } from "@/lib/http/errors";
import { cacheControl } from "@/lib/http/response-headers";
import { readFlow } from "@/lib/server/cookies/flow-cookie";
import { apiRoute } from "@/lib/server/http/api-route";

/** Returns the receipt in the flow cookies: null before an order is accepted. Sends 403 without a flow. */
export const GET = apiRoute({ name: "receipt" }, async ({ request, response }) => {
  const flow = await readFlow(request);
  if (!flow) throw new AppError("flow_required");
  response.headers.set("cache-control", cacheControl.personal);
  return { success: true, order: flow.receipt } satisfies ReceiptReply;
});
