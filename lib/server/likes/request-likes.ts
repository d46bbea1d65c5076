import "server-only";
import { createHash } from "node:crypto";
import { AppError } from "@/lib/http/errors";
import type { InstagramPost } from "@/lib/flow/instagram-link";
import type { Delivery } from "@/lib/server/delivery/delivery";
import type { Flow } from "@/lib/server/cookies/flow-cookie";
import { deliverOrder } from "./deliver-order";
import type { VisitorIdentity } from "@/lib/server/identity/identify-visitor";
import type { Ledger } from "./ledger";
import type { Order, Usage } from "./ledger-replies";

/** Seconds in the Retry-After header of the error `order_pending`. */
const pendingRetrySeconds = 15;

export interface LikeRequest {
  visitor: VisitorIdentity;
  flow: Flow | null;
  post: InstagramPost;
  /** Hash of the visitor's Idempotency-Key header. Null if the request has no such header. */
  requestKey: string | null;
}

/**
 * Orders 50 likes for the post that the visitor chose. Returns the accepted order, and today's usage with this
 * order. Throws an AppError if no order is accepted.
 */
export async function requestLikes(
  request: LikeRequest,
  ledger: Ledger,
  delivery: Delivery,
): Promise<{ order: Order; usage: Usage }> {
  const { flow, post } = request;
  if (!flow || !flow.post) throw new AppError("flow_required");
  if (flow.post.postId !== post.postId) throw new AppError("post_mismatch");

  const reservation = await ledger.reserve({
    visitor: request.visitor,
    flowId: flow.id,
    postId: post.postId,
    postType: flow.post.type,
    requestKey: request.requestKey,
    bodyHash: createHash("sha256").update(post.postId).digest("base64url"),
  });
  switch (reservation.kind) {
    case "leased":
    case "accepted":
    case "refused":
    case "abandoned": {
      const { kind, order, usage, now } = reservation;
      const result = kind === "leased" ? await tryDelivery(order, ledger, delivery) : order;
      return { order: requireAccepted(result), usage: { ...usage, now } };
    }
    case "other_pending":
      throw new AppError("order_pending", {
        message: "Your request for another post is still being processed. Please wait until it is finished.",
        retryAfterSeconds: pendingRetrySeconds,
      });
    case "key_reused":
      throw new AppError("idempotency_key_reused");
    case "flow_used":
      throw new AppError("flow_required");
    default: {
      const { kind, waitUntil, waitSeconds } = reservation;
      throw new AppError(kind, {
        retryAfterSeconds: waitSeconds,
        nextLikesAt: kind === "paced" ? new Date(waitUntil).toISOString() : undefined,
      });
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

/** Returns an accepted order unchanged. For every other state, throws the AppError of that state. */
function requireAccepted(order: Order): Order {
  switch (order.state) {
    case "accepted":
      return order;
    case "refused":
      throw new AppError("delivery_refused", order.message ? { message: order.message } : {});
    case "abandoned":
      throw new AppError("order_abandoned");
    case "reserved":
    case "pending":
      throw new AppError("order_pending", { retryAfterSeconds: pendingRetrySeconds });
  }
}
