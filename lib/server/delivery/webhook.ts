import "server-only";
import { Webhook } from "standardwebhooks";
import { z } from "zod";
import { errorTable } from "@/lib/http/errors";
import { likeLink } from "@/lib/flow/instagram-link";
import { sendRequest, timeoutSignal, type HttpResponse } from "@/lib/server/http/http-client";
import { sanitizeText } from "@/lib/server/http/sanitize-text";
import type { Delivery, DeliveryOrder, DeliveryOutcome } from "./delivery";

/** Statuses that say "not now" rather than "no". */
const retryableStatuses = new Set([408, 425, 429]);
/** A receiver's answer is a few words; more is not read. */
const maxAnswerBytes = 16_384;
const maxMessageLength = 200;

const acceptedShape = z.object({ reference: z.string().min(1).max(200).optional() });
const refusedShape = z.object({ message: z.string().min(1) });

export interface WebhookSettings {
  url: string;
  /** `whsec_` and base64. */
  secret: string;
  timeoutMs: number;
}

/**
 * A signed call to the deployer's own service, by the Standard Webhooks specification. 2xx and 409 (seen before)
 * accept; 3xx (not followed), 408, 425, 429, 5xx, time-outs and broken connections leave the outcome unknown; any
 * other 4xx refuses.
 */
export function createWebhook(settings: WebhookSettings): Delivery {
  async function send(order: DeliveryOrder): Promise<DeliveryOutcome> {
    try {
      return readOutcome(await signedCall(settings, order));
    } catch (error) {
      return { outcome: "unknown", reason: error instanceof Error ? error.name : "error" };
    }
  }

  return { send, timeoutMs: settings.timeoutMs };
}

/** What the service is told of an order; docs/delivery.md. */
export function orderMessage(order: DeliveryOrder) {
  return {
    type: "likes.requested",
    data: {
      orderId: order.id,
      postId: order.postId,
      postType: order.postType,
      postUrl: likeLink(order.postId),
      likes: order.likes,
    },
  };
}

/** What an answer of the service means for the order. */
export function readOutcome({ status, json }: Pick<HttpResponse, "status" | "json">): DeliveryOutcome {
  if ((status >= 200 && status < 300) || status === 409) {
    const reference = acceptedShape.safeParse(json).data?.reference;
    return reference === undefined ? { outcome: "accepted" } : { outcome: "accepted", reference };
  }
  if (status >= 400 && status < 500 && !retryableStatuses.has(status)) {
    const message = refusedShape.safeParse(json).data?.message ?? "";
    return {
      outcome: "refused",
      message: sanitizeText(message, maxMessageLength) || errorTable.delivery_refused.message,
    };
  }
  return { outcome: "unknown", reason: `HTTP ${status}` };
}

async function signedCall(
  { url, secret, timeoutMs }: WebhookSettings,
  order: DeliveryOrder,
): Promise<HttpResponse> {
  // One signal for head and body: a receiver that starts to answer and stalls is a time-out, too.
  const signal = await timeoutSignal(timeoutMs);
  const now = new Date();
  const { type, data } = orderMessage(order);
  const body = JSON.stringify({ type, timestamp: now.toISOString(), data });
  const request = {
    method: "POST",
    signal,
    headers: {
      "content-type": "application/json",
      "webhook-id": order.id,
      "webhook-timestamp": String(Math.floor(now.getTime() / 1_000)),
      "webhook-signature": new Webhook(secret).sign(order.id, now, body),
    },
    body,
  } as const;
  return sendRequest(url, request, maxAnswerBytes);
}
