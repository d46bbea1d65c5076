import "server-only";
import { getEnv, type Env } from "@/lib/server/config/env";
import { createAltcha } from "./altcha";
import type { CaptchaProvider } from "./captcha";
import { createRemoteCaptcha } from "./siteverify";

let shared: CaptchaProvider | undefined;

/** Returns the captcha provider that CAPTCHA_PROVIDER selects. Creates one instance per process. */
export function getCaptcha(): CaptchaProvider {
  return (shared ??= createCaptcha(getEnv()));
}

/** Creates the captcha provider for the given settings. */
export function createCaptcha(settings: Pick<Env, "captcha" | "sessionSecrets">): CaptchaProvider {
  const { captcha } = settings;
  if (captcha.provider !== "altcha") return createRemoteCaptcha(captcha);
  const secrets = captcha.secretKey ? [captcha.secretKey] : settings.sessionSecrets;
  return createAltcha(secrets, captcha.cost, captcha.siteKey);
}
