import "server-only";
import { getEnv } from "../env";
import { createAltcha } from "./altcha";
import type { CaptchaProvider } from "./captcha";

let shared: CaptchaProvider | undefined;

/** The configured human check. */
export function getCaptcha(): CaptchaProvider {
  if (shared) return shared;
  const { captcha, sessionSecrets } = getEnv();
  shared = createAltcha(captcha.secretKey ? [captcha.secretKey] : sessionSecrets, captcha.siteKey);
  return shared;
}
