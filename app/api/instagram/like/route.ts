import type { LikeReply } from "@/lib/schemas/api-responses";
import { toDailyLimit } from "@/lib/flow/daily-meter";
import { likeBody } from "@/lib/flow/api-requests";
import { readFlow, writeFlow } from "@/lib/server/cookies/flow-cookie";
import { writeOrderId } from "@/lib/server/cookies/order-id-cookie";
import { apiRoute } from "@/lib/server/http/api-route";
import { getDelivery } from "@/lib/server/delivery";
import { getLedger } from "@/lib/server/likes";
import { remainingCooldownSeconds, toReceipt } from "@/lib/server/likes/receipt";
import { requestLikes } from "@/lib/server/likes/request-likes";

/** Requests 50 likes for the post in the flow cookies. Returns the receipt of the accepted order and today's usage. */
export const POST = apiRoute(
  { name: "like", body: likeBody, skipDeadline: true },
  async ({ request, body, visitor, requestKey, response }) => {
    const flow = await readFlow(request);
    const likeRequest = { visitor, flow, post: body.instagramUrl, requestKey };
    const { order, usage } = await requestLikes(likeRequest, getLedger(), getDelivery());
    const receipt = toReceipt(order);
    if (flow) await writeFlow(response, { ...flow, receipt });
    writeOrderId(response.headers, order.id, remainingCooldownSeconds(order));
    return { success: true, order: receipt, dailyLimit: toDailyLimit(usage) } satisfies LikeReply;
  },
);
