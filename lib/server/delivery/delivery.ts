import "server-only";
import type { PostType } from "@/lib/http/api-responses";

/** Order in the form that a delivery service receives. */
export interface DeliveryOrder {
  /** Idempotency key. An order is sent again with the same id after an unknown outcome. */
  id: string;
  postId: string;
  postType: PostType;
  likes: number;
}

export type DeliveryOutcome =
  | { outcome: "accepted"; reference?: string }
  /** The service refused the order. The visitor sees `message`. */
  | { outcome: "refused"; message: string }
  /** The outcome is unknown, so the server sends the same order again later. */
  | { outcome: "unknown"; reason: string };

/** Delivery service. Implementations: dry run (dry-run.ts) and signed webhook (webhook.ts). */
export interface Delivery {
  send(order: DeliveryOrder): Promise<DeliveryOutcome>;
  /** Maximum duration of `send`, in milliseconds. */
  timeoutMs: number;
}
