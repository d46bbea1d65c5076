import "server-only";
import { createHash } from "node:crypto";
import { z } from "zod";
import { sendRequest, timeoutSignal, type HttpResponse } from "@/lib/server/http/http-client";
import type { CaptchaCheck } from "./captcha";
import { isLoopback } from "@/lib/http/loopback";
import { isTestSecretKey } from "@/lib/config/captcha-test-keys";

/** Timeout for connection, headers and body together; the whole API request may take 2 s. */
const timeoutMs = 1_200;
const maxResponseBytes = 16_384;

/** Error codes that mean a bad visitor token. */
const tokenCodes = new Set([
  "missing-input-response",
  "invalid-input-response",
  "timeout-or-duplicate",
  "bad-request",
]);
/** Error codes that mean a fault of the provider or of our configuration, not of the visitor. */
const faultCodes = new Set(["missing-input-secret", "invalid-input-secret", "internal-error"]);

const verdictSchema = z.object({
  success: z.boolean(),
  hostname: z.string().max(255).optional(),
  action: z.string().max(64).optional(),
  "error-codes": z.array(z.string()).max(20).default([]),
});
type Verdict = z.output<typeof verdictSchema>;

export interface SiteverifySettings {
  siteKey: string;
  secretKey: string;
  /** Replaces the provider's default URL. */
  verifyUrl: string | undefined;
  /** Lower-case hostnames; tokens solved on other hosts are rejected. */
  hostnames: readonly string[];
  /** Also accepts tokens solved on the request's own host when that host is a loopback name. */
  allowLoopback: boolean;
}

interface Provider {
  url: string;
  /** Time in which a token could be replayed. */
  tokenLifeSeconds: number;
  maxTokenLength: number;
  /** Required `action` of the response; unset for a provider without actions. */
  action?: string;
}

/**
 * Verifies a token with a siteverify provider; `requestHost` is the Host header. A timeout, 429, 5xx,
 * redirect, invalid body or wrong secret is "unavailable". The log shows `reason`, so it contains no secret.
 */
export async function siteverify(
  token: string,
  requestHost: string,
  provider: Provider,
  settings: SiteverifySettings,
): Promise<CaptchaCheck> {
  if (token.length > provider.maxTokenLength) return { outcome: "rejected", reason: "token too long" };
  const verdict = await requestVerdict(settings.verifyUrl ?? provider.url, settings.secretKey, token);
  if (typeof verdict === "string") return { outcome: "unavailable", reason: verdict };
  if (!verdict.success) return interpretErrorCodes(verdict["error-codes"]);
  const mismatch = isTestSecretKey(settings.secretKey)
    ? null
    : findMismatch(verdict, provider.action, requestHost, settings);
  if (mismatch) return { outcome: "rejected", reason: mismatch };
  return {
    outcome: "passed",
    uniqueId: createHash("sha256").update(token).digest("base64url"),
    expiresInSeconds: provider.tokenLifeSeconds,
  };
}

/** Returns the provider's verdict, or a failure reason. For privacy, omits the visitor's IP address. */
async function requestVerdict(url: string, secret: string, token: string): Promise<Verdict | string> {
  // One signal covers headers and body, so that a stalled body also times out.
  const signal = await timeoutSignal(timeoutMs);
  const request = {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded;charset=UTF-8" },
    body: new URLSearchParams({ secret, response: token }).toString(),
    signal,
  } as const;
  try {
    return parseVerdict(await sendRequest(url, request, maxResponseBytes));
  } catch {
    return signal.aborted ? "no answer in time" : "no connection";
  }
}

/** Parses a response. Providers may send error codes with a 4xx status other than 429. */
function parseVerdict({ status, json }: HttpResponse): Verdict | string {
  const ok = status >= 200 && status < 300;
  if (!ok && (status < 400 || status === 429 || status >= 500)) return `HTTP ${status}`;
  const { data: verdict } = verdictSchema.safeParse(json);
  if (!verdict || (verdict.success && !ok)) return `HTTP ${status} with an invalid body`;
  return verdict;
}

/** Maps error codes to an outcome. Unknown codes are rejections: docs/decisions/0006-captcha-providers.md */
function interpretErrorCodes(codes: readonly string[]): CaptchaCheck {
  const fault = codes.find((code) => faultCodes.has(code));
  if (fault) return { outcome: "unavailable", reason: fault };
  return { outcome: "rejected", reason: codes.find((code) => tokenCodes.has(code)) ?? "no known code" };
}

/** Returns the reason why a genuine token belongs to another site or action, or null. */
function findMismatch(
  { hostname, action }: Verdict,
  expectedAction: string | undefined,
  requestHost: string,
  { hostnames, allowLoopback }: SiteverifySettings,
): string | null {
  const solvedOn = (hostname ?? "").toLowerCase();
  const ownLoopback = allowLoopback && isLoopback(solvedOn) && solvedOn === hostnameOf(requestHost);
  if (!hostnames.includes(solvedOn) && !ownLoopback) {
    return "solved on a host that CAPTCHA_HOSTNAMES does not name";
  }
  if (expectedAction !== undefined && action !== expectedAction) return "solved for another action";
  return null;
}

/** Returns the hostname of a Host header without the port, or "" when the header is invalid. */
function hostnameOf(host: string): string {
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : "";
}
