import "server-only";
import type { SiteKeyReply } from "@/lib/http/api-responses";

export type CaptchaCheck =
  /** The token is genuine. `uniqueId` names it, for single use; `expiresInSeconds` is how long it could be replayed. */
  | { outcome: "passed"; uniqueId: string; expiresInSeconds: number }
  | { outcome: "rejected"; reason: string }
  /** The provider could not be asked. */
  | { outcome: "unavailable"; reason: string };

/** A human check. Providers differ in the widget and in how a token is proven; single use is enforced behind them. */
export interface CaptchaProvider {
  name: SiteKeyReply["provider"];
  /** Public, never empty. */
  siteKey: string;
  /** True when `check` asks nobody: a few milliseconds at most, less than a question to Redis. */
  checksAlone: boolean;
  /** Checks a visitor's token; `requestHost` is the Host header it came with. Never throws for a bad token. */
  check(token: string, requestHost: string): Promise<CaptchaCheck>;
  /**
   * A new challenge for self-hosted providers; undefined for those that make their own.
   *
   * @param work how many times the normal work a solution takes; 1 unless given
   */
  createChallenge?(work?: number): Promise<object>;
}
