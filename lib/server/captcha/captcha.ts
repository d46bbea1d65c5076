import "server-only";
import type { SiteKeyReply } from "@/lib/http/api-responses";

export type CaptchaCheck =
  /** `uniqueId` identifies the token for single use; after `expiresInSeconds` replay is impossible. */
  | { outcome: "passed"; uniqueId: string; expiresInSeconds: number }
  | { outcome: "rejected"; reason: string }
  /** The provider gave no verdict. */
  | { outcome: "unavailable"; reason: string };

/** A captcha provider. Providers only verify tokens; `checkCaptcha` enforces single use. */
export interface CaptchaProvider {
  name: SiteKeyReply["provider"];
  /** Public, never empty. */
  siteKey: string;
  /** True when `check` sends no network request, and so is faster than a Redis request. */
  checksLocally: boolean;
  /** Checks a token; `requestHost` is the request's Host header. Does not throw for a bad token. */
  check(token: string, requestHost: string): Promise<CaptchaCheck>;
  /** Creates a challenge with `work` times the normal work (default 1); self-hosted providers only. */
  createChallenge?(work?: number): Promise<object>;
}
