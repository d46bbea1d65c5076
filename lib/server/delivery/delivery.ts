import "server-only";
import type { PostType } from "@/lib/schemas/api-responses";

/** The fields of an order that the delivery service receives. */
export interface DeliveryOrder {
  /** Idempotency key. After an unknown outcome, the server sends the order again with the same id. */
  id: string;
  postId: string;
  postType: PostType;
  likes: number;
}

export type DeliveryOutcome =
  | { outcome: "accepted"; reference?: string }
  /** The delivery service refused the order. The visitor sees `message`. */
  | { outcome: "refused"; message: string }
  /** The server does not know whether the service accepted the order, and sends it again later. */
  | { outcome: "unknown"; reason: string };

/** Adapter that sends orders to a delivery service. Implementations: `dryRun` in index.ts, and webhook.ts. */
export interface Delivery {
  send(order: DeliveryOrder): Promise<DeliveryOutcome>;
  /** Maximum duration of `send`, in milliseconds. */
  timeoutMs: number;
}
