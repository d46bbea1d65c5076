import { randomUUID } from "node:crypto";
import { startHttpDouble, type HttpRequest } from "./http-double";

export type SiteverifyServer = Awaited<ReturnType<typeof startSiteverify>>;

/** Starts the verification service of a provider, with its documented protocol. */
export async function startSiteverify(provider: "recaptcha" | "turnstile", secret: string) {
  const issued = new Map<string, { hostname?: string; action?: string; used: boolean }>();

  function verify({ body }: HttpRequest): object {
    const fields = new URLSearchParams(body);
    if (fields.get("secret") !== secret) return refusal("invalid-input-secret");
    const token = issued.get(fields.get("response") ?? "");
    if (!token) return refusal("invalid-input-response");
    if (token.used) return refusal("timeout-or-duplicate");
    token.used = true;
    const { hostname, action } = token;
    const common = { success: true, challenge_ts: new Date().toISOString(), hostname };
    return provider === "recaptcha" ? common : { ...common, "error-codes": [], action, cdata: "" };
  }

  const double = await startHttpDouble<"verify">("/siteverify", "verify", {
    verify: (request) => ({ body: verify(request) }),
  });
  return {
    ...double,
    /** Settings of a site that uses this service. */
    env: {
      CAPTCHA_PROVIDER: provider,
      CAPTCHA_SITE_KEY: "site-key-of-the-tests",
      CAPTCHA_SECRET_KEY: secret,
      CAPTCHA_VERIFY_URL: double.url,
    },
    /** Creates a token that is valid once. The responses contain its site, and Turnstile's also its action. */
    issue(solved: { hostname?: string; action?: string } = {}) {
      const token = `${provider}.${randomUUID()}`;
      issued.set(token, { hostname: "localhost", action: "verify", ...solved, used: false });
      return token;
    },
  };
}

/** Returns the body of a refusal, which is the same for both providers. */
export function refusal(...codes: string[]): object {
  return { success: false, "error-codes": codes };
}
