import "server-only";
import { getEnv, type Env } from "@/lib/server/config/env";
import { createAltcha } from "./altcha";
import type { CaptchaProvider } from "./captcha";
import { createRecaptcha } from "./recaptcha";
import { createTurnstile } from "./turnstile";

let shared: CaptchaProvider | undefined;

/** The configured human check. */
export function getCaptcha(): CaptchaProvider {
  return (shared ??= createCaptcha(getEnv()));
}

/** The human check of these settings. */
export function createCaptcha({
  captcha,
  sessionSecrets,
}: Pick<Env, "captcha" | "sessionSecrets">): CaptchaProvider {
  switch (captcha.provider) {
    case "altcha":
      return createAltcha(
        captcha.secretKey ? [captcha.secretKey] : sessionSecrets,
        captcha.cost,
        captcha.siteKey,
      );
    case "recaptcha":
      return createRecaptcha(captcha);
    case "turnstile":
      return createTurnstile(captcha);
  }
}
