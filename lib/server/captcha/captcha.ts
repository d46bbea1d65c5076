import "server-only";
import type { SiteKeyReply } from "@/lib/http/api-responses";

export type CaptchaCheck =
  /** `uniqueId` identifies the token, so that it works only once. The token expires in `expiresInSeconds`. */
  | { outcome: "passed"; uniqueId: string; expiresInSeconds: number }
  | { outcome: "rejected"; reason: string }
  /** The provider did not decide, for example because of a timeout. */
  | { outcome: "unavailable"; reason: string };

/** Captcha provider. It verifies tokens, but may accept a used token: `checkCaptcha` prevents that. */
export interface CaptchaProvider {
  name: SiteKeyReply["provider"];
  /** Public key for the widget in the browser. Never empty. */
  siteKey: string;
  /** True if `check` sends no network request. It is then faster than a Redis request. */
  checksLocally: boolean;
  /** Checks a token. `requestHost` is the Host header of the request. Does not throw for a bad token. */
  check(token: string, requestHost: string): Promise<CaptchaCheck>;
  /** Creates a challenge with `work` times the normal work (default 1). Only altcha has this method. */
  createChallenge?(work?: number): Promise<object>;
}
