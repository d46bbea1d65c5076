import "server-only";
import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { CaptchaReply, SiteKeyReply } from "@/lib/schemas/api-responses";
import { AppError } from "@/lib/http/errors";
import type { Env } from "@/lib/server/config/env";
import { log, LoggableError } from "@/lib/server/log/log";
import { getMeter } from "@/lib/server/metrics/meter";
import { rateLimitPolicies } from "@/lib/server/http/rate-limits";
import { withRedis, type RedisClient } from "@/lib/server/redis/client";

export type CaptchaCheck =
  /** `uniqueId` lets the server reject a second use of the token. The token expires in `expiresInSeconds`. */
  | { outcome: "passed"; uniqueId: string; expiresInSeconds: number }
  | { outcome: "rejected"; reason: string }
  /** The provider did not verify the token, for example because of a timeout. */
  | { outcome: "unavailable"; reason: string };

/** Verifies captcha tokens. A provider may accept a used token, so `checkCaptcha` rejects used tokens. */
export interface CaptchaProvider {
  name: SiteKeyReply["provider"];
  /** Public key for the widget in the browser. Never empty. */
  siteKey: string;
  /** True if `check` sends no network request. `check` is then faster than a Redis request. */
  checksLocally: boolean;
  /** Checks a token. `requestHost` is the Host header of the request. Does not throw for a bad token. */
  check(token: string, requestHost: string): Promise<CaptchaCheck>;
  /** Creates a challenge. Only altcha has this method. */
  createChallenge?(): Promise<object>;
}

/** Retry-After of the 503 response when the captcha provider is unavailable. */
const retryAfterSeconds = 10;

/** Rate limits of the checks of one IP address. */
export interface CheckLimits {
  /** Hash of the client's IP address. */
  address: string;
  /** Number of checks that a local provider may accept in each window. */
  accepted: number;
  /** Counts a request under a policy of lib/server/http/rate-limits.ts, and throws above its limit. */
  count(policy: "verify" | "rejectedVerify"): Promise<void>;
}

/**
 * Checks a captcha token, marks the token as used, and returns the body of the API response. Throws
 * `captcha_rejected` for a wrong or used token. Throws `captcha_unavailable` if the provider fails and
 * `onProviderError` is "deny". Throws `rate_limited` above a limit of `rateLimits`. The token then stays unused.
 *
 * @param rateLimits Limits requests to a remote provider before they are sent. A local provider checks first.
 *   Accepted and rejected checks then have separate limits, so wrong tokens do not block people who share
 *   the address.
 */
export async function checkCaptcha(
  { token, host }: { token: string; host: string },
  provider: CaptchaProvider,
  redis: RedisClient,
  settings: Pick<Env["captcha"], "mode" | "onProviderError">,
  rateLimits?: CheckLimits,
): Promise<CaptchaReply> {
  const checksFirst = settings.mode === "enforce" && provider.checksLocally;
  const limitsAfterCheck = checksFirst ? rateLimits : undefined;
  if (!checksFirst) await rateLimits?.count("verify");
  if (settings.mode === "dev") return { success: true, dev_mode: true };
  if (settings.mode === "bypass") return { success: true, bypass_mode: true };
  const check = await provider.check(token, host);
  const skipped = check.outcome === "unavailable" && settings.onProviderError === "allow";
  getMeter()?.countCaptcha(provider.name, skipped ? "skipped" : check.outcome);
  if (check.outcome === "passed" && (await useToken(check, redis, limitsAfterCheck)))
    return { success: true };
  await limitsAfterCheck?.count("rejectedVerify");
  const reason = check.outcome === "passed" ? "used before" : check.reason;
  if (skipped) {
    log.error("captcha skipped", { provider: provider.name, cause: reason });
    return { success: true, error_bypass: true };
  }
  const cause = new LoggableError(`captcha: ${reason}`);
  throw check.outcome === "unavailable"
    ? new AppError("captcha_unavailable", { retryAfterSeconds, cause })
    : new AppError("captcha_rejected", { cause });
}

/**
 * Marks the token KEYS[1] as used, and counts the check in KEYS[2] if ARGV[3] has a limit. Returns "accepted",
 * "used", or above the limit the time until a new window, in milliseconds. The Redis client may send the script
 * twice after a lost reply, so the random mark ARGV[1] shows whether this call used the token.
 */
const useTokenScript = `
if not redis.call('SET', KEYS[1], ARGV[1], 'NX', 'EX', ARGV[2]) then
  return redis.call('GET', KEYS[1]) == ARGV[1] and 'accepted' or 'used'
end
local limit = tonumber(ARGV[3])
if not limit then return 'accepted' end
local isFirst = redis.call('SET', KEYS[2], 1, 'NX', 'EX', ARGV[4])
if (isFirst and 1 or redis.call('INCR', KEYS[2])) <= limit then return 'accepted' end
redis.call('DECR', KEYS[2])
redis.call('DEL', KEYS[1])
return redis.call('PTTL', KEYS[2])
`;

const useTokenReply = z.union([z.enum(["accepted", "used"]), z.number()]);

/** Returns false if the token was used before. Throws `rate_limited` above the limit of accepted checks. */
async function useToken(
  { uniqueId, expiresInSeconds }: Extract<CaptchaCheck, { outcome: "passed" }>,
  redis: RedisClient,
  rateLimits?: CheckLimits,
): Promise<boolean> {
  // {captcha} puts both keys into one slot of a cluster.
  const keys = [`{captcha}:used:${uniqueId}`, `{captcha}:accepted:${rateLimits?.address ?? ""}`];
  const mark = `check-${randomBytes(12).toString("hex")}`;
  const { windowSeconds } = rateLimitPolicies.verify;
  const args = [mark, expiresInSeconds + 60, rateLimits?.accepted ?? "", windowSeconds].map(String);
  const reply = useTokenReply.parse(
    await withRedis("captcha single use", () => redis.createScript(useTokenScript).exec(keys, args)),
  );
  if (typeof reply === "string") return reply === "accepted";
  throw new AppError("rate_limited", { retryAfterSeconds: Math.max(1, Math.ceil(reply / 1_000)) });
}
