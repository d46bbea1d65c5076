import "server-only";
import type { CaptchaReply } from "@/lib/schemas/api-responses";
import { getEnv, type Env } from "@/lib/server/config/env";
import { assertLimit, rateLimitPolicies } from "@/lib/server/http/rate-limits";
import type { ClientNetworks } from "@/lib/server/identity/identify-visitor";
import { getRedis } from "@/lib/server/redis/client";
import { createAltcha } from "./altcha";
import { checkCaptcha, type CaptchaProvider } from "./check-captcha";
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

/** Checks the captcha token of a request with the configured provider, and counts the check for the client's address. */
export function checkRequestCaptcha(
  token: string,
  { headers }: Pick<Request, "headers">,
  client: ClientNetworks,
): Promise<CaptchaReply> {
  const { captcha, rateLimitScale } = getEnv();
  const host = headers.get("host") ?? "";
  return checkCaptcha({ token, host }, getCaptcha(), getRedis(), captcha, {
    address: client.addressHashes[0] ?? "",
    accepted: rateLimitPolicies.verify.requests * rateLimitScale,
    count: (policy) => assertLimit(policy, client),
  });
}
