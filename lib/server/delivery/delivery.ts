import "server-only";
import { Webhook } from "standardwebhooks";
import { z } from "zod";
import { errorTable } from "@/lib/http/errors";
import { getEnv, type Env } from "@/lib/server/config/env";
import { likeLink } from "@/lib/flow/post-links";
import type { OrderMessage } from "@/lib/schemas/order";
import type { HttpRequest, HttpResponse } from "@/lib/server/http/http-client";
import { failureCode, sendRequest, timeoutSignal } from "@/lib/server/http/http-client";
import { sanitizeText } from "@/lib/server/http/sanitize-text";

/** 4xx status codes for a temporary failure, or (401 to 410) for a wrong secret or address. The server retries. */
const retryableStatuses = new Set([408, 425, 429, 401, 403, 404, 410]);
/** Maximum size of a response body. The server does not read a longer body. */
const maxResponseBytes = 16_384;
const notFromService = "with a body that is neither empty nor JSON of at most 16 KiB";
const maxMessageLength = 200;

const acceptedSchema = z.object({ reference: z.string().min(1).max(200).optional() });
const refusedSchema = z.object({ message: z.string().min(1) });

/** Settings of the webhook. `secret` signs the requests: "whsec_" followed by base64. */
export type WebhookSettings = Omit<Extract<Env["delivery"], { kind: "webhook" }>, "kind">;

/** The fields of an order that the delivery service receives. After an unknown outcome, it gets the same id again. */
export type DeliveryOrder = Pick<OrderMessage["data"], "postId" | "postType" | "likes"> & { id: string };

export type DeliveryOutcome =
  | { outcome: "accepted"; reference?: string }
  /** The delivery service refused the order. The visitor sees `message`. */
  | { outcome: "refused"; message: string }
  /** The server does not know whether the service accepted the order, and sends it again later. */
  | { outcome: "unknown"; reason: string };

/** Adapter that sends orders to a delivery service. */
export interface Delivery {
  send(order: DeliveryOrder): Promise<DeliveryOutcome>;
  /** Maximum duration of `send`, in milliseconds. */
  timeoutMs: number;
}

let shared: Delivery | undefined;

/** Accepts every order and sends nothing. */
const dryRun: Delivery = { timeoutMs: 0, send: () => Promise.resolve({ outcome: "accepted" }) };

/** Returns the delivery adapter that LIKE_DELIVERY selects. Creates one instance per process. */
export function getDelivery(): Delivery {
  const { delivery } = getEnv();
  return (shared ??= delivery.kind === "webhook" ? createWebhook(delivery) : dryRun);
}

/** Creates the adapter that sends each order as a signed webhook. docs/delivery.md describes the requests. */
export function createWebhook(settings: WebhookSettings): Delivery {
  return {
    timeoutMs: settings.timeoutMs,
    send: (order) =>
      sendSigned(settings, order).then(
        ({ outcome }) => outcome,
        (error: unknown) => ({ outcome: "unknown", reason: failureCode(error) }),
      ),
  };
}

/** Builds the webhook body of an order, without `timestamp`. docs/delivery.md describes the fields. */
export function createOrderPayload(order: DeliveryOrder): Omit<OrderMessage, "timestamp"> {
  const { id: orderId, postId, postType, likes } = order;
  const data = { orderId, postId, postType, postUrl: likeLink(postId), likes };
  return { type: "likes.requested", data };
}

/** Sends a call to the service. Returns the status and its meaning. Rejects if no complete response arrives. */
export async function callService(url: string, request: HttpRequest) {
  const response = await sendRequest(url, request, maxResponseBytes);
  return { status: response.status, outcome: toDeliveryOutcome(response) };
}

/**
 * Converts a response. 2xx and 409 mean accepted, retryable 4xx and other statuses unknown, other 4xx refused. Login
 * pages and parked domains also send 2xx, and a CDN 409, so a body that is neither empty nor JSON means unknown.
 */
function toDeliveryOutcome({ status, json, isEmpty }: HttpResponse): DeliveryOutcome {
  if ((status >= 200 && status < 300) || status === 409) {
    if (json === undefined && !isEmpty)
      return { outcome: "unknown", reason: `HTTP ${status} ${notFromService}` };
    return { outcome: "accepted", ...acceptedSchema.safeParse(json).data };
  }
  if (status >= 400 && status < 500 && !retryableStatuses.has(status)) {
    const message = sanitizeText(refusedSchema.safeParse(json).data?.message ?? "", maxMessageLength);
    return { outcome: "refused", message: message || errorTable.delivery_refused.message };
  }
  return { outcome: "unknown", reason: `HTTP ${status}` };
}

async function sendSigned({ url, secret, timeoutMs }: WebhookSettings, order: DeliveryOrder) {
  // The timeout covers headers and body. It also ends a response whose body stops in the middle.
  const signal = await timeoutSignal(timeoutMs);
  const now = new Date();
  const { type, data } = createOrderPayload(order);
  const body = JSON.stringify({ type, timestamp: now.toISOString(), data });
  return callService(url, {
    method: "POST",
    signal,
    headers: {
      "content-type": "application/json",
      "webhook-id": order.id,
      "webhook-timestamp": String(Math.floor(now.getTime() / 1_000)),
      "webhook-signature": new Webhook(secret).sign(order.id, now, body),
    },
    body,
  });
}
