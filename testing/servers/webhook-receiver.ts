import { Webhook } from "standardwebhooks";
import { startHttpDouble, type HttpDouble, type HttpRequest, type Reply } from "./http-double";
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
