import type { HttpRequest, Responder } from "@/testing/servers/http-double";
import { idOf, type WebhookReply, type Word } from "@/testing/servers/webhook-receiver";

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
