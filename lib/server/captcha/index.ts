import "server-only";
import type { CaptchaReply } from "@/lib/schemas/api-responses";
import { getEnv, type Env } from "@/lib/server/config/env";
import { assertLimit, rateLimitPolicies, type RateLimitPolicy } from "@/lib/server/http/rate-limits";
import type { ClientNetworks } from "@/lib/server/identity/identify-visitor";
import { getRedis } from "@/lib/server/redis/client";
import { createAltcha } from "./altcha";
import type { CaptchaProvider } from "./captcha";
import { checkCaptcha } from "./check-captcha";
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

/**
 * Checks a captcha token with the configured provider, and counts the check for the client's address.
 *
 * @param host Host header of the request
 * @param beforeUse Runs before the token is used up, as in `checkCaptcha`
 */
export function checkRequestCaptcha(
  token: string,
  host: string,
  client: ClientNetworks,
  beforeUse?: () => Promise<void>,
): Promise<CaptchaReply> {
  const { captcha, rateLimitScale } = getEnv();
  const [address = ""] = client.addressHashes;
  const rateLimits = {
    address,
    accepted: rateLimitPolicies.verify.requests * rateLimitScale,
    count: (policy: RateLimitPolicy) => assertLimit(policy, client),
  };
  return checkCaptcha({ token, host }, getCaptcha(), getRedis(), captcha, rateLimits, beforeUse);
}
