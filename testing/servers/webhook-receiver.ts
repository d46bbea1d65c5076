import { Webhook } from "standardwebhooks";
import {
  startHttpDouble,
  type HttpDouble,
  type HttpRequest,
  type Reply,
  type Responder,
} from "./http-double";
import { webhookSecret } from "./live-delivery";

const webhook = new Webhook(webhookSecret);

type Word = "accept" | "conflict" | "refuse";
export type WebhookReply = Reply<Word>;
export type WebhookReceiver = HttpDouble<Word>;

/** Starts a delivery service that accepts all orders by default. */
export function startReceiver(): Promise<WebhookReceiver> {
  return startHttpDouble<Word>("/likes", "accept", {
    accept: (request) => ({ body: { reference: `ref-${idOf(request)}` } }),
    conflict: { status: 409 },
    refuse: { status: 422, body: { message: "This post cannot be served." } },
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
    work: (request: HttpRequest, index: number) => Promise<WebhookReply | void> | WebhookReply | void,
  ): Responder<Word> {
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

/** Returns whether the signature is valid and its timestamp is recent, with the reference library of Standard Webhooks. */
export function isSigned({ body, headers }: HttpRequest): boolean {
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
  return webhook.sign(id, new Date(Number(seconds) * 1_000), body) === given;
}
