import "server-only";
import { Webhook } from "standardwebhooks";
import { z } from "zod";
import { errorTable } from "@/lib/http/errors";
import { likeLink } from "@/lib/flow/instagram-link";
import { sendRequest, timeoutSignal, type HttpResponse } from "@/lib/server/http/http-client";
import { sanitizeText } from "@/lib/server/http/sanitize-text";
import type { Delivery, DeliveryOrder, DeliveryOutcome } from "./delivery";

/** 4xx statuses of a temporary failure: the order is sent again. */
const retryableStatuses = new Set([408, 425, 429]);
/** Maximum size of a response body. A longer body is ignored. */
const maxResponseBytes = 16_384;
const maxMessageLength = 200;

const acceptedSchema = z.object({ reference: z.string().min(1).max(200).optional() });
const refusedSchema = z.object({ message: z.string().min(1) });

export interface WebhookSettings {
  url: string;
  /** Signing secret: `whsec_` followed by base64. */
  secret: string;
  timeoutMs: number;
}

/** Creates a delivery by signed webhook. docs/delivery.md lists the outcome of each response status. */
export function createWebhook(settings: WebhookSettings): Delivery {
  async function send(order: DeliveryOrder): Promise<DeliveryOutcome> {
    try {
      return toDeliveryOutcome(await sendSigned(settings, order));
    } catch (error) {
      return { outcome: "unknown", reason: error instanceof Error ? error.name : "error" };
    }
  }

  return { send, timeoutMs: settings.timeoutMs };
}

/** Builds the webhook payload of an order, without the timestamp; see docs/delivery.md. */
export function createOrderPayload(order: DeliveryOrder) {
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

/** Converts a response to an outcome: 2xx and 409 accept, permanent 4xx refuse, the rest is unknown. */
export function toDeliveryOutcome({ status, json }: Pick<HttpResponse, "status" | "json">): DeliveryOutcome {
  if ((status >= 200 && status < 300) || status === 409) {
    const reference = acceptedSchema.safeParse(json).data?.reference;
    return reference === undefined ? { outcome: "accepted" } : { outcome: "accepted", reference };
  }
  if (status >= 400 && status < 500 && !retryableStatuses.has(status)) {
    const message = refusedSchema.safeParse(json).data?.message ?? "";
    return {
      outcome: "refused",
      message: sanitizeText(message, maxMessageLength) || errorTable.delivery_refused.message,
    };
  }
  return { outcome: "unknown", reason: `HTTP ${status}` };
}

async function sendSigned(
  { url, secret, timeoutMs }: WebhookSettings,
  order: DeliveryOrder,
): Promise<HttpResponse> {
  // The signal covers headers and body, so a response that stalls in its body times out, too.
  const signal = await timeoutSignal(timeoutMs);
  const now = new Date();
  const { type, data } = createOrderPayload(order);
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
  return sendRequest(url, request, maxResponseBytes);
}
