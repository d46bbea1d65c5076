import "server-only";
import type { PostType } from "@/lib/http/api-responses";

/** What a delivery service is asked for. */
export interface DeliveryOrder {
  /** Idempotency key: the same order may be sent again after an unknown outcome. */
  id: string;
  postId: string;
  postType: PostType;
  likes: number;
}

export type DeliveryOutcome =
  | { outcome: "accepted"; reference?: string }
  /** The service will not deliver; `message` is for the visitor. */
  | { outcome: "refused"; message: string }
  /** Nobody knows: to be tried again with the same order. */
  | { outcome: "unknown"; reason: string };

/** Where accepted orders go. The product ships two: dry-run and a signed webhook. */
export interface Delivery {
  send(order: DeliveryOrder): Promise<DeliveryOutcome>;
  /** How long `send` may take at most, in milliseconds. */
  timeoutMs: number;
}
