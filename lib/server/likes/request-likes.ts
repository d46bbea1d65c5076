import "server-only";
import type { Receipt } from "@/lib/schemas/api-responses";
import { AppError } from "@/lib/http/errors";
import type { InstagramPost } from "@/lib/flow/instagram-link";
import type { Delivery } from "@/lib/server/delivery/delivery";
import type { Flow } from "@/lib/server/cookies/flow-cookie";
import { deliverOrder } from "./deliver-orders";
import type { Ledger, ReserveRequest } from "./ledger";
import type { Order, Usage } from "./ledger-replies";

/** Seconds in the Retry-After header of the error `order_pending`. */
const pendingRetrySeconds = 15;

export interface LikeRequest extends Pick<ReserveRequest, "visitor" | "requestKey"> {
  flow: Flow | null;
  post: InstagramPost;
}

/**
 * Orders 50 likes for the post that the visitor chose. Returns the receipt of the accepted order, the remaining cooldown, and
 * today's usage with this order. Throws an AppError if no order is accepted.
 */
export async function requestLikes(
  request: LikeRequest,
  ledger: Ledger,
  delivery: Delivery,
): Promise<Acceptance & { usage: Usage }> {
  const { flow, post } = request;
  if (!flow || !flow.post) throw new AppError("flow_required");
  if (flow.post.postId !== post.postId) throw new AppError("post_mismatch");

  const reservation = await ledger.reserve({
    visitor: request.visitor,
    flowId: flow.id,
    postId: post.postId,
    postType: flow.post.type,
    requestKey: request.requestKey,
  });
  switch (reservation.kind) {
    case "leased":
    case "accepted":
    case "refused":
    case "abandoned": {
      const { kind, order, usage, now } = reservation;
      const result = kind === "leased" ? await tryDelivery(order, ledger, delivery) : order;
      return { ...readAcceptance(result), usage: { ...usage, now } };
    }
    case "other_pending":
      throw new AppError("order_pending", {
        message: "Your request for another post is still being processed. Please wait until it is finished.",
        retryAfterSeconds: pendingRetrySeconds,
      });
    case "key_reused":
      throw new AppError("idempotency_key_reused");
    case "post_blocked":
      throw new AppError("post_blocked");
    case "flow_used":
      throw new AppError("flow_required");
    default: {
      const { kind, waitUntil, waitSeconds } = reservation;
      const nextLikesAt = kind === "paced" ? new Date(waitUntil).toISOString() : undefined;
      throw new AppError(kind, { retryAfterSeconds: waitSeconds, nextLikesAt });
    }
  }
}

/** Sends the order. Throws `order_pending` if Redis cannot store the outcome; a later attempt then sends it again. */
async function tryDelivery(order: Order, ledger: Ledger, delivery: Delivery): Promise<Order> {
  try {
    return await deliverOrder(order, ledger, delivery);
  } catch (error) {
    throw new AppError("order_pending", { retryAfterSeconds: pendingRetrySeconds, cause: error });
  }
}

interface Acceptance {
  receipt: Receipt;
  /** Remaining cooldown, at least 1. The rate-limit cookie gets this number as Max-Age. */
  cooldownSeconds: number;
}

/** Returns the acceptance of an order. For every other state, throws the AppError of that state. */
function readAcceptance(order: Order): Acceptance {
  const { id, state, closedAt, cooldownUntil, message } = order;
  if (state === "refused") throw new AppError("delivery_refused", message ? { message } : {});
  if (state === "abandoned") throw new AppError("order_abandoned");
  if (state !== "accepted" || closedAt === null || cooldownUntil === null)
    throw new AppError("order_pending", { retryAfterSeconds: pendingRetrySeconds });
  const leftMs = Math.min(cooldownUntil - closedAt, cooldownUntil - order.readAt);
  const receipt = {
    reference: id,
    postId: order.postId,
    type: order.postType,
    likes: order.likes,
    acceptedAt: new Date(closedAt).toISOString(),
    nextAvailable: new Date(cooldownUntil).toISOString(),
  };
  return { receipt, cooldownSeconds: Math.max(1, Math.ceil(leftMs / 1_000)) };
}
