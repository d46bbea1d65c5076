import "server-only";
import { Webhook } from "standardwebhooks";
import { z } from "zod";
import { errorTable } from "@/lib/errors";
import { likeLink } from "@/lib/instagram-link";
import { readBounded } from "../read-bounded";
import type { Delivery, DeliveryOrder, DeliveryOutcome } from "./delivery";

/** Statuses that say "not now" rather than "no". */
const retryableStatuses = new Set([408, 425, 429]);
/** A receiver's answer is a few words; more is not read. */
const maxAnswerBytes = 16_384;
const maxMessageLength = 200;

const acceptedShape = z.object({ reference: z.string().min(1).max(200).optional() });
const refusedShape = z.object({ message: z.string().min(1) });

/**
 * A signed call to the deployer's own service, by the Standard Webhooks specification. 2xx and 409 (seen before)
 * accept; 3xx (not followed), 408, 425, 429, 5xx, time-outs and broken connections leave the outcome unknown; any
 * other 4xx refuses.
 */
export function createWebhook(settings: { url: string; secret: string; timeoutMs: number }): Delivery {
  const signer = new Webhook(settings.secret);

  async function send(order: DeliveryOrder): Promise<DeliveryOutcome> {
    const now = new Date();
    const body = JSON.stringify(orderMessage(order, now));
    let response: Response;
    let answer: unknown;
    try {
      response = await fetch(settings.url, {
        method: "POST",
        redirect: "manual",
        cache: "no-store",
        // One signal for head and body: a receiver that starts to answer and stalls is a time-out, too.
        signal: AbortSignal.timeout(settings.timeoutMs),
        headers: {
          "content-type": "application/json",
          "webhook-id": order.id,
          "webhook-timestamp": String(Math.floor(now.getTime() / 1_000)),
          "webhook-signature": signer.sign(order.id, now, body),
        },
        body,
      });
      answer = await readJson(response);
    } catch (error) {
      return { outcome: "unknown", reason: error instanceof Error ? error.name : "error" };
    }
    return readOutcome(response.status, answer);
  }

  return { send, timeoutMs: settings.timeoutMs };
}

function orderMessage(order: DeliveryOrder, now: Date) {
  return {
    type: "likes.requested",
    timestamp: now.toISOString(),
    data: {
      orderId: order.id,
      postId: order.postId,
      postType: order.postType,
      postUrl: likeLink(order.postId),
      likes: order.likes,
    },
  };
}

function readOutcome(status: number, answer: unknown): DeliveryOutcome {
  if ((status >= 200 && status < 300) || status === 409) {
    const reference = acceptedShape.safeParse(answer).data?.reference;
    return reference === undefined ? { outcome: "accepted" } : { outcome: "accepted", reference };
  }
  if (status >= 400 && status < 500 && !retryableStatuses.has(status)) {
    const message = refusedShape.safeParse(answer).data?.message;
    return { outcome: "refused", message: visibleText(message) || errorTable.delivery_refused.message };
  }
  return { outcome: "unknown", reason: `HTTP ${status}` };
}

/** The JSON of an answer, or undefined when it is none or too long. Rejects when the answer breaks off. */
async function readJson(response: Response): Promise<unknown> {
  const text = await readBounded(response.body, maxAnswerBytes);
  try {
    return JSON.parse(text ?? "");
  } catch {
    return undefined;
  }
}

/** A service's words, made fit for a page: one line, no control characters, bounded. */
function visibleText(text: string | undefined): string {
  return (text ?? "")
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim()
    .slice(0, maxMessageLength);
}
