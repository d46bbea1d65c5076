import "server-only";
import { getEnv, type Env } from "@/lib/server/config/env";
import { createAltcha } from "./altcha";
import type { CaptchaProvider } from "./captcha";
import { createRecaptcha } from "./recaptcha";
import { createTurnstile } from "./turnstile";

let shared: CaptchaProvider | undefined;

/** Returns the captcha provider that CAPTCHA_PROVIDER selects. Creates one instance per process. */
export function getCaptcha(): CaptchaProvider {
  return (shared ??= createCaptcha(getEnv()));
}

/** Creates the captcha provider for the given settings. */
export function createCaptcha(settings: Pick<Env, "captcha" | "sessionSecrets">): CaptchaProvider {
  const { captcha } = settings;
  switch (captcha.provider) {
    case "altcha": {
      const secrets = captcha.secretKey ? [captcha.secretKey] : settings.sessionSecrets;
      return createAltcha(secrets, captcha.cost, captcha.siteKey);
    }
    case "recaptcha":
      return createRecaptcha(captcha);
    case "turnstile":
      return createTurnstile(captcha);
  }
}
