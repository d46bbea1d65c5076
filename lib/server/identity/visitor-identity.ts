import "server-only";
import type { NetworkKind } from "@/lib/config/limits";

/** Who asks: keyed hashes only, newest secret first, and the order that the rate-limit cookie names. */
export interface VisitorIdentity {
  visitorHashes: readonly string[];
  addressHashes: readonly string[];
  /** The wider networks that the address lies in. */
  networks: readonly { kind: NetworkKind; hashes: readonly string[] }[];
  cookieId: string | null;
}
