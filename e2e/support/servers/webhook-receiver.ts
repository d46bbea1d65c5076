import { Webhook } from "standardwebhooks";
import {
  startHttpDouble,
  type HttpDouble,
  type HttpRequest,
  type Reply,
  type Responder,
} from "./http-double";
import { webhookSecret } from "./live-delivery";

export interface ReceivedRequest extends HttpRequest {
  /** Whether the signature and its timestamp are valid. */
  verified: boolean;
}

const testsWebhook = new Webhook(webhookSecret);

type Word = "accept" | "conflict" | "refuse";
export type WebhookReply = Reply<Word>;
export type WebhookReceiver = HttpDouble<ReceivedRequest, Word>;

/**
 * Starts a delivery service that accepts all orders by default. It checks signatures with the reference library of
 * Standard Webhooks. `secret` is `whsec_` and base64.
 */
export function startReceiver({ secret }: { secret: string }): Promise<WebhookReceiver> {
  const webhook = new Webhook(secret);
  return startHttpDouble<ReceivedRequest, Word>({
    path: "/likes",
    read: (request) => ({ ...request, verified: isSigned(request, webhook) }),
    answers: {
      accept: (request) => ({ body: { reference: `ref-${idOf(request)}` } }),
      conflict: { status: 409 },
      refuse: { status: 422, body: { message: "This post cannot be served." } },
    },
    reply: "accept",
  });
}

/** Returns the id of the order. Repeated requests for an order have the same id. */
export function idOf({ headers }: HttpRequest): string {
  return headers["webhook-id"] ?? "";
}

/** The orders of a delivery service that accepts each id once, and responds 409 to a repeated id. */
export class AcceptedOrders {
  readonly ids = new Set<string>();
  /** Requests that arrived while an earlier request with the same id was still open. */
  overlaps = 0;
  readonly #open = new Set<string>();

  /** Returns a responder that first calls `work`. The result of `work` replaces the response. */
  responder(
    work: (request: ReceivedRequest, index: number) => Promise<WebhookReply | void> | WebhookReply | void,
  ): Responder<ReceivedRequest, Word> {
    return async (request, index) => {
      const id = idOf(request);
      if (this.#open.has(id)) this.overlaps += 1;
      this.#open.add(id);
      const replacement = await work(request, index);
      this.#open.delete(id);
      // After these responses, the service has not accepted the order.
      if (replacement === "error" || replacement === "redirect" || replacement === "refuse")
        return replacement;
      const reply = this.ids.has(id) ? "conflict" : "accept";
      this.ids.add(id);
      return replacement ?? reply;
    };
  }
}

/** Returns whether the signature is valid and its timestamp is recent. */
export function isSigned({ body, headers }: HttpRequest, webhook = testsWebhook): boolean {
  try {
    webhook.verify(body, headers, { jsonParse: false });
    return true;
  } catch {
    return false;
  }
}

/** Returns whether the signature is valid, with any timestamp. */
export function isSignedWhenever({ body, headers }: HttpRequest): boolean {
  const { "webhook-id": id = "", "webhook-timestamp": seconds = "0", "webhook-signature": given } = headers;
  return testsWebhook.sign(id, new Date(Number(seconds) * 1_000), body) === given;
}
