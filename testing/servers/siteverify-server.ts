import { randomUUID } from "node:crypto";
import { startHttpDouble, type HttpRequest } from "./http-double";

interface SiteverifyOptions {
  provider: "recaptcha" | "turnstile";
  secret: string;
}

/** Site and action of a solved captcha. The verification response contains both. */
interface Solved {
  hostname?: string;
  /** Only of Turnstile. */
  action?: string;
}

export type SiteverifyServer = Awaited<ReturnType<typeof startSiteverify>>;

/** Starts the verification service of a provider, with its documented protocol. */
export async function startSiteverify({ provider, secret }: SiteverifyOptions) {
  const issued = new Map<string, Solved & { used: boolean }>();

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
    /** Creates a token that is valid once. */
    issue(solved: Solved = {}) {
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
