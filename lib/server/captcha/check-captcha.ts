import "server-only";
import { randomBytes } from "node:crypto";
import type { CaptchaReply } from "@/lib/http/api-responses";
import { AppError } from "@/lib/http/errors";
import type { Env } from "@/lib/server/config/env";
import { log, LoggableError } from "@/lib/server/ops/log";
import { getMeter } from "@/lib/server/ops/meter";
import { withRedis, type RedisClient } from "@/lib/server/redis/client";
import type { CaptchaProvider } from "./captcha";

/** Retry-After of the 503 response when the captcha provider is unavailable. */
const retryAfterSeconds = 10;

/**
 * Checks a captcha token, marks the token as used, and returns the body of the API response. Throws
 * `captcha_rejected` for a wrong or used token. Throws `captcha_unavailable` if the provider fails and
 * `onProviderError` is "deny".
 *
 * @param countRequest Counts this request, and throws above the rate limit. Runs before this function sends the
 *   token to a remote provider. With altcha, runs after the check. One Redis round trip then counts the request
 *   and marks the token.
 */
export async function checkCaptcha(
  { token, host }: { token: string; host: string },
  provider: CaptchaProvider,
  redis: RedisClient,
  settings: Pick<Env["captcha"], "mode" | "onProviderError">,
  countRequest: () => Promise<void> = () => Promise.resolve(),
): Promise<CaptchaReply> {
  const countsAfterCheck = settings.mode === "enforce" && provider.checksLocally;
  if (!countsAfterCheck) await countRequest();
  if (settings.mode === "dev") return { success: true, dev_mode: true };
  if (settings.mode === "bypass") return { success: true, bypass_mode: true };
  const check = await provider.check(token, host);
  const skipped = check.outcome === "unavailable" && settings.onProviderError === "allow";
  getMeter()?.countCaptcha(provider.name, skipped ? "skipped" : check.outcome);
  if (check.outcome === "passed") {
    await Promise.all([
      countsAfterCheck && countRequest(),
      markUsed(check.uniqueId, check.expiresInSeconds, redis),
    ]);
    return { success: true };
  }
  if (countsAfterCheck) await countRequest();
  if (skipped) {
    log.error("captcha skipped", { provider: provider.name, cause: check.reason });
    return { success: true, error_bypass: true };
  }
  const cause = new LoggableError(`captcha: ${check.reason}`);
  throw check.outcome === "rejected"
    ? new AppError("captcha_rejected", { cause })
    : new AppError("captcha_unavailable", { retryAfterSeconds, cause });
}

/**
 * Marks a token as used until it expires. Throws `captcha_rejected` if the token was used before. The Redis
 * client may send SET NX twice after a lost reply, so a random value shows whether this call set the mark.
 */
async function markUsed(uniqueId: string, expiresInSeconds: number, redis: RedisClient): Promise<void> {
  const key = `captcha:used:${uniqueId}`;
  const mark = `check-${randomBytes(12).toString("hex")}`;
  const isFirst = await withRedis("captcha single use", async () => {
    const written = await redis.batched.set(key, mark, { nx: true, ex: expiresInSeconds + 60 });
    return written === "OK" || (await redis.get(key)) === mark;
  });
  if (!isFirst) throw new AppError("captcha_rejected", { cause: new LoggableError("captcha: used before") });
}
