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
  /** Whether the reference library of Standard Webhooks accepts the signature and its time. */
  verified: boolean;
}

const testsWebhook = new Webhook(webhookSecret);

type Word = "accept" | "conflict" | "refuse";
export type WebhookReply = Reply<Word>;
export type WebhookReceiver = HttpDouble<ReceivedRequest, Word>;

/**
 * A delivery service to deliver to, which accepts everything until told otherwise. It checks signatures with the
 * reference library of Standard Webhooks, not with the code under test. `secret` is `whsec_` and base64.
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

/** The id under which an order is asked for, however often. */
export function idOf({ headers }: HttpRequest): string {
  return headers["webhook-id"] ?? "";
}

/** A delivery service's memory: it accepts an id once, and answers 409 to an id that it has seen. */
export class AcceptedOrders {
  readonly ids = new Set<string>();
  /** Calls that came while another call under the same id was still worked on. */
  overlaps = 0;
  readonly #working = new Set<string>();

  /** Answers like a service that keeps its word, after `work`, which may also say that the answer gets lost. */
  responder(
    work: (request: ReceivedRequest, index: number) => Promise<WebhookReply | void> | WebhookReply | void,
  ): Responder<ReceivedRequest, Word> {
    return async (request, index) => {
      const id = idOf(request);
      if (this.#working.has(id)) this.overlaps += 1;
      this.#working.add(id);
      const instead = await work(request, index);
      this.#working.delete(id);
      if (instead === "error" || instead === "redirect" || instead === "refuse") return instead;
      const reply = this.ids.has(id) ? "conflict" : "accept";
      this.ids.add(id);
      return instead ?? reply;
    };
  }
}

/** Whether the tests' secret has signed it in these minutes. */
export function isSigned({ body, headers }: HttpRequest, webhook = testsWebhook): boolean {
  try {
    webhook.verify(body, headers, { jsonParse: false });
    return true;
  } catch {
    return false;
  }
}

/** Whether the tests' secret has signed it, at any time. */
export function isSignedWhenever({ body, headers }: HttpRequest): boolean {
  const { "webhook-id": id = "", "webhook-timestamp": seconds = "0", "webhook-signature": given } = headers;
  return testsWebhook.sign(id, new Date(Number(seconds) * 1_000), body) === given;
}
