import "server-only";
import type { SiteKeyReply } from "@/lib/schemas/api-responses";

export type CaptchaCheck =
  /** `uniqueId` lets the server reject a second use of the token. The token expires in `expiresInSeconds`. */
  | { outcome: "passed"; uniqueId: string; expiresInSeconds: number }
  | { outcome: "rejected"; reason: string }
  /** The provider did not verify the token, for example because of a timeout. */
  | { outcome: "unavailable"; reason: string };

/** Verifies captcha tokens. A provider may accept a used token, so `checkCaptcha` rejects used tokens. */
export interface CaptchaProvider {
  name: SiteKeyReply["provider"];
  /** Public key for the widget in the browser. Never empty. */
  siteKey: string;
  /** True if `check` sends no network request. `check` is then faster than a Redis request. */
  checksLocally: boolean;
  /** Checks a token. `requestHost` is the Host header of the request. Does not throw for a bad token. */
  check(token: string, requestHost: string): Promise<CaptchaCheck>;
  /** Creates a challenge. Only altcha has this method. */
  createChallenge?(): Promise<object>;
}
