import type { LikeReply } from "@/lib/schemas/api-responses";
import { toDailyLimit } from "@/lib/flow/daily-meter";
import { likeBody } from "@/lib/flow/api-requests";
import { readFlow, writeFlow } from "@/lib/server/cookies/flow-cookie";
import { writeOrderId } from "@/lib/server/cookies/order-id";
import { apiRoute } from "@/lib/server/http/api-route";
import { getDelivery } from "@/lib/server/delivery/delivery";
import { getLedger } from "@/lib/server/likes";
import { requestLikes } from "@/lib/server/likes/request-likes";

/** Requests 50 likes for the post in the flow cookies. Returns the receipt of the accepted order and today's usage. */
export const POST = apiRoute(
  { name: "like", body: likeBody, skipDeadline: true },
  async ({ request, body, visitor, requestKey, response }) => {
    const flow = await readFlow(request);
    const likeRequest = { visitor, flow, post: body.instagramUrl, requestKey };
    const { receipt, cooldownSeconds, usage } = await requestLikes(likeRequest, getLedger(), getDelivery());
    if (flow) await writeFlow(response, { ...flow, receipt });
    writeOrderId(response.headers, receipt.reference, cooldownSeconds);
    return { success: true, order: receipt, dailyLimit: toDailyLimit(usage) } satisfies LikeReply;
  },
);
