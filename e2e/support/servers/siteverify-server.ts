import { randomUUID } from "node:crypto";
import { startHttpDouble, type HttpDouble, type HttpRequest } from "./http-double";

export type SiteverifyProvider = "recaptcha" | "turnstile";

/** What a check was solved on and for, as the answer will say. */
export interface Solved {
  hostname?: string;
  /** Turnstile only. */
  action?: string;
}

export interface SiteverifyServer extends HttpDouble<HttpRequest, "verify"> {
  /** Makes a token that is accepted once. */
  issue(solved?: Solved): string;
}

export interface SiteverifyOptions {
  provider: SiteverifyProvider;
  secret: string;
}

/** A provider's verification service, which speaks the documented protocol of one of the two until told otherwise. */
export async function startSiteverify({ provider, secret }: SiteverifyOptions): Promise<SiteverifyServer> {
  const issued = new Map<string, Solved & { used: boolean }>();

  function verify({ method, headers, body }: HttpRequest): object {
    if (method !== "POST" || headers["content-type"] !== "application/x-www-form-urlencoded;charset=UTF-8") {
      return refusal("bad-request");
    }
    const fields = new URLSearchParams(body);
    if (!fields.get("secret")) return refusal("missing-input-secret");
    if (fields.get("secret") !== secret) return refusal("invalid-input-secret");
    const response = fields.get("response");
    if (!response) return refusal("missing-input-response");
    const token = issued.get(response);
    if (!token) return refusal("invalid-input-response");
    if (token.used) return refusal("timeout-or-duplicate");
    token.used = true;
    return success(provider, token);
  }

  const double = await startHttpDouble<HttpRequest, "verify">({
    path: "/siteverify",
    read: (request) => request,
    answers: { verify: (request) => ({ body: verify(request) }) },
    reply: "verify",
  });
  return {
    ...double,
    issue(solved = {}) {
      const token = `${provider}.${randomUUID()}`;
      issued.set(token, { hostname: "localhost", action: "verify", ...solved, used: false });
      return token;
    },
  };
}

/** A refusal, as both providers write it. */
export function refusal(...codes: string[]): object {
  return { success: false, "error-codes": codes };
}

function success(provider: SiteverifyProvider, { hostname, action }: Solved): object {
  const common = { success: true, challenge_ts: new Date().toISOString(), hostname };
  return provider === "recaptcha" ? common : { ...common, "error-codes": [], action, cdata: "" };
}
