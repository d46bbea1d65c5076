import "server-only";
import { createHash } from "node:crypto";
import { z } from "zod";
import type { Env } from "@/lib/server/config/env";
import type { HttpResponse } from "@/lib/server/http/http-client";
import { failureCode, nearAttemptMs, sendRequest, timeoutSignal } from "@/lib/server/http/http-client";
import type { CaptchaCheck, CaptchaProvider } from "./check-captcha";
import { captchaAction, isTestKey } from "@/lib/config/captcha";
import { isLoopback } from "@/lib/http/loopback";
import { parseUrl } from "@/lib/http/parse-url";

/** Timeout for connection, headers and body together. The whole API request must end within 2 s. */
const timeoutMs = 1_200;
const maxResponseBytes = 16_384;

/** Error codes that a provider sends for an invalid token. */
const tokenCodes = new Set([
  "missing-input-response",
  "invalid-input-response",
  "timeout-or-duplicate",
  "bad-request",
]);
/** Error codes that a provider sends for its own failure, or for an error in our configuration. */
const faultCodes = new Set(["missing-input-secret", "invalid-input-secret", "internal-error"]);

const verdictSchema = z.object({
  success: z.boolean(),
  hostname: z.string().max(255).optional(),
  action: z.string().max(64).optional(),
  "error-codes": z.array(z.string()).max(20).default([]),
});
type Verdict = z.output<typeof verdictSchema>;

/** Settings of a provider. Tokens that were solved on other hosts than `hostnames` are rejected. */
export type SiteverifySettings = Omit<
  Extract<Env["captcha"], { provider: "recaptcha" | "turnstile" }>,
  "mode" | "onProviderError"
>;

/** The server must remember a used token for `tokenLifeSeconds`. A response must have the `action` of its provider. */
const providers = {
  recaptcha: {
    url: "https://www.google.com/recaptcha/api/siteverify",
    tokenLifeSeconds: 120,
    // Google documents no maximum length. This value is the limit of our API for a request body.
    maxTokenLength: 16_384,
    action: undefined,
  },
  turnstile: {
    url: "https://challenges.cloudflare.com/turnstile/v0/siteverify",
    tokenLifeSeconds: 300,
    maxTokenLength: 2_048,
    action: captchaAction,
  },
};

/** Creates the provider for Google's reCAPTCHA v2 (checkbox) or Cloudflare Turnstile. */
export function createRemoteCaptcha(settings: SiteverifySettings): CaptchaProvider {
  const { provider: name, siteKey } = settings;
  return { name, siteKey, checksLocally: false, check: (token, host) => siteverify(token, host, settings) };
}

/**
 * Verifies a token at the provider. `host` is the Host header of the visitor's request. Returns
 * "unavailable" if the provider fails or our secret is wrong. The server logs `reason`, without secrets.
 */
async function siteverify(token: string, host: string, settings: SiteverifySettings): Promise<CaptchaCheck> {
  const { url, tokenLifeSeconds, maxTokenLength, action } = providers[settings.provider];
  if (token.length > maxTokenLength) return { outcome: "rejected", reason: "token too long" };
  const verdict = await requestVerdict(settings.verifyUrl ?? url, settings.secretKey, token);
  if (typeof verdict === "string") return { outcome: "unavailable", reason: verdict };
  if (!verdict.success) return interpretErrorCodes(verdict["error-codes"]);
  const mismatch = !isTestKey(settings.secretKey) && findMismatch(verdict, action, host, settings);
  if (mismatch) return { outcome: "rejected", reason: mismatch };
  const uniqueId = createHash("sha256").update(token).digest("base64url");
  return { outcome: "passed", uniqueId, expiresInSeconds: tokenLifeSeconds };
}

/** Sends the token, but not the visitor's IP address. Returns the provider's verdict, or a failure reason. */
async function requestVerdict(url: string, secret: string, token: string): Promise<Verdict | string> {
  // The timeout also ends a response whose body stops in the middle.
  const signal = await timeoutSignal(timeoutMs);
  const request = {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded;charset=UTF-8" },
    body: new URLSearchParams({ secret, response: token }).toString(),
    signal,
    attemptMs: nearAttemptMs,
  } as const;
  try {
    return parseVerdict(await sendRequest(url, request, maxResponseBytes));
  } catch (error) {
    return signal.aborted ? "no answer in time" : `no connection (${failureCode(error)})`;
  }
}

/** Returns the verdict, or a failure reason. A response with a 4xx status may contain a verdict. */
function parseVerdict({ status, json }: HttpResponse): Verdict | string {
  const ok = status >= 200 && status < 300;
  if (!ok && (status < 400 || status === 429 || status >= 500)) return `HTTP ${status}`;
  const { data: verdict } = verdictSchema.safeParse(json);
  if (!verdict || (verdict.success && !ok)) return `HTTP ${status} with an invalid body`;
  return verdict;
}

/** Maps error codes to an outcome. Other codes mean "rejected" (docs/decisions/0004-captcha.md). */
function interpretErrorCodes(codes: readonly string[]): CaptchaCheck {
  const fault = codes.find((code) => faultCodes.has(code));
  if (fault) return { outcome: "unavailable", reason: fault };
  return { outcome: "rejected", reason: codes.find((code) => tokenCodes.has(code)) ?? "no known code" };
}

/** Returns a reason if the token was solved for another host or action. Otherwise returns null. */
function findMismatch(
  { hostname, action }: Verdict,
  expectedAction: string | undefined,
  requestHost: string,
  { hostnames, allowLoopback }: SiteverifySettings,
): string | null {
  const solvedOn = (hostname ?? "").toLowerCase();
  const ownHostname = parseUrl(`http://${requestHost}`)?.hostname;
  const ownLoopback = allowLoopback && isLoopback(solvedOn) && solvedOn === ownHostname;
  if (!hostnames.includes(solvedOn) && !ownLoopback)
    return "solved on a host that CAPTCHA_HOSTNAMES does not name";
  if (expectedAction !== undefined && action !== expectedAction) return "solved for another action";
  return null;
}
