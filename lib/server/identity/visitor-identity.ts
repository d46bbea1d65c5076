import "server-only";
import type { NetworkKind } from "@/lib/config/limits";

/** Keyed hashes (HMAC) that identify a visitor. Hash lists have one hash per secret, newest secret first. */
export interface VisitorIdentity {
  visitorHashes: readonly string[];
  addressHashes: readonly string[];
  networks: readonly { kind: NetworkKind; hashes: readonly string[] }[];
  /** Order id from the rate-limit cookie, or null. */
  rateLimitId: string | null;
}
