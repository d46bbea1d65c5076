import "server-only";
import { createHash } from "node:crypto";
import { z } from "zod";
import {
  sendRequest,
  timeoutSignal,
  type HttpResponse as OutgoingAnswer,
} from "@/lib/server/http/http-client";
import type { CaptchaCheck } from "./captcha";
import { isLoopback } from "@/lib/http/loopback";
import { isTestSecretKey } from "@/lib/config/captcha-test-keys";

/** For connection, head and body together: the API promises its 503 within 2 s, Redis included. */
const deadlineMs = 1_200;
const maxAnswerBytes = 16_384;

/** Codes by which a provider says that the visitor's token is bad, not our side. */
const tokenCodes = new Set([
  "missing-input-response",
  "invalid-input-response",
  "timeout-or-duplicate",
  "bad-request",
]);
/** Codes by which a provider says that our configuration or itself is at fault: nothing is known about the visitor. */
const faultCodes = new Set(["missing-input-secret", "invalid-input-secret", "internal-error"]);

const answerShape = z.object({
  success: z.boolean(),
  hostname: z.string().max(255).optional(),
  action: z.string().max(64).optional(),
  "error-codes": z.array(z.string()).max(20).default([]),
});
type Answer = z.output<typeof answerShape>;

/** What a provider of this kind is configured with. */
export interface SiteverifySettings {
  siteKey: string;
  secretKey: string;
  /** Replaces the provider's own address. */
  verifyUrl: string | undefined;
  /** Lower-case names of the hosts whose tokens count. */
  hostnames: readonly string[];
  /** The request's own host counts as well when it is a loopback name. */
  allowLoopback: boolean;
}

/** What differs from provider to provider. */
interface Provider {
  url: string;
  /** How long a token could be replayed. */
  tokenLifeSeconds: number;
  maxTokenLength: number;
  /** What the answer has to name as its action; unset for a provider that knows none. */
  action?: string;
}

/**
 * Asks a provider that speaks the siteverify protocol about one token. `requestHost` is the Host header of the visitor's
 * request. A clear no is a rejection; what says nothing about the visitor (no answer in time, 429, 5xx, a redirect,
 * junk, a wrong secret) is "unavailable". Reasons carry neither token nor secret, nor words of the provider's.
 */
export async function siteverify(
  token: string,
  requestHost: string,
  provider: Provider,
  settings: SiteverifySettings,
): Promise<CaptchaCheck> {
  if (token.length > provider.maxTokenLength) return { outcome: "rejected", reason: "token too long" };
  const answer = await ask(settings.verifyUrl ?? provider.url, settings.secretKey, token);
  if (typeof answer === "string") return { outcome: "unavailable", reason: answer };
  if (!answer.success) return refusal(answer["error-codes"]);
  const mismatch = isTestSecretKey(settings.secretKey)
    ? null
    : mismatchOf(answer, provider.action, requestHost, settings);
  if (mismatch) return { outcome: "rejected", reason: mismatch };
  return {
    outcome: "passed",
    uniqueId: createHash("sha256").update(token).digest("base64url"),
    expiresInSeconds: provider.tokenLifeSeconds,
  };
}

/** The provider's answer, or why there is none. The visitor's address is not sent along. */
async function ask(url: string, secret: string, token: string): Promise<Answer | string> {
  // One signal for head and body: an answer that begins and stalls is a time-out, too.
  const signal = await timeoutSignal(deadlineMs);
  const request = {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded;charset=UTF-8" },
    body: new URLSearchParams({ secret, response: token }).toString(),
    signal,
  } as const;
  try {
    return readAnswer(await sendRequest(url, request, maxAnswerBytes));
  } catch {
    return signal.aborted ? "no answer in time" : "no connection";
  }
}

/** Below 500 a refusal may come with a status of its own; its codes then say what it means. */
function readAnswer({ status, json }: OutgoingAnswer): Answer | string {
  const ok = status >= 200 && status < 300;
  if (!ok && (status < 400 || status === 429 || status >= 500)) return `HTTP ${status}`;
  const { data: answer } = answerShape.safeParse(json);
  if (!answer || (answer.success && !ok)) return `HTTP ${status} with an unreadable answer`;
  return answer;
}

/**
 * What a "no" means. Without a code, or with one that no documentation knows, it stays a no: a visitor must not get
 * through, where errors are allowed, by provoking an odd one. Only known codes are repeated, for the log.
 */
function refusal(codes: readonly string[]): CaptchaCheck {
  const fault = codes.find((code) => faultCodes.has(code));
  if (fault) return { outcome: "unavailable", reason: fault };
  return { outcome: "rejected", reason: codes.find((code) => tokenCodes.has(code)) ?? "no known code" };
}

/** Why a genuine token is not one of this site's own, or null. */
function mismatchOf(
  { hostname, action }: Answer,
  wantedAction: string | undefined,
  requestHost: string,
  { hostnames, allowLoopback }: SiteverifySettings,
): string | null {
  const solvedOn = (hostname ?? "").toLowerCase();
  const ownLoopback = allowLoopback && isLoopback(solvedOn) && solvedOn === hostnameOf(requestHost);
  if (!hostnames.includes(solvedOn) && !ownLoopback) {
    return "solved on a host that CAPTCHA_HOSTNAMES does not name";
  }
  if (wantedAction !== undefined && action !== wantedAction) return "solved for another action";
  return null;
}

/** The name in a Host header, without the port: "" when it is none. */
function hostnameOf(host: string): string {
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : "";
}
