import "server-only";
import { randomBytes } from "node:crypto";
import type { Redis } from "@upstash/redis";
import type { CaptchaReply } from "@/lib/http/api-responses";
import { AppError } from "@/lib/http/errors";
import type { Env } from "@/lib/server/config/env";
import { log, LoggableError } from "@/lib/server/ops/log";
import { getMeter } from "@/lib/server/ops/meter";
import { batched, onRedis } from "@/lib/server/redis/client";
import type { CaptchaProvider } from "./captcha";

/** Seconds that a visitor is told to wait while the provider does not answer. */
const retryAfterSeconds = 10;

/** What a visitor sends: the widget's token, and the Host header of the request. */
export interface CaptchaSubmission {
  token: string;
  host: string;
}

/**
 * Checks a token and uses it up, by the configured mode. Returns the reply of the verification endpoint; throws
 * `captcha_rejected`, or `captcha_unavailable` when the provider cannot be asked and errors are not allowed through.
 *
 * @param countRequest the burst limit, where the caller has not counted the request yet; throws when it is reached.
 *   It comes before a provider is asked. One that asks nobody is checked first, and then one round trip does for the
 *   count and for using up the token.
 */
export async function checkCaptcha(
  { token, host }: CaptchaSubmission,
  provider: CaptchaProvider,
  redis: Redis,
  settings: Pick<Env["captcha"], "mode" | "onProviderError">,
  countRequest: () => Promise<void> = () => Promise.resolve(),
): Promise<CaptchaReply> {
  const isAsked = settings.mode === "enforce";
  const countsLate = isAsked && provider.checksAlone;
  if (!countsLate) await countRequest();
  if (settings.mode === "dev") return { success: true, dev_mode: true };
  if (settings.mode === "bypass") return { success: true, bypass_mode: true };
  const check = await provider.check(token, host);
  const letThrough = check.outcome === "unavailable" && settings.onProviderError === "allow";
  getMeter()?.countCaptcha(provider.name, letThrough ? "skipped" : check.outcome);
  if (check.outcome === "passed") {
    await Promise.all([countsLate && countRequest(), useUp(check.uniqueId, check.expiresInSeconds, redis)]);
    return { success: true };
  }
  if (countsLate) await countRequest();
  if (letThrough) {
    log.error("captcha skipped", { provider: provider.name, cause: check.reason });
    return { success: true, error_bypass: true };
  }
  const cause = new LoggableError(`captcha: ${check.reason}`);
  throw check.outcome === "rejected"
    ? new AppError("captcha_rejected", { cause })
    : new AppError("captcha_unavailable", { retryAfterSeconds, cause });
}

/**
 * Marks a token as used, for as long as it could be replayed; after its verification, so that junk fills no memory.
 * The client repeats a command whose answer was lost: the mark is a random name, so that a check knows its own.
 */
async function useUp(uniqueId: string, expiresInSeconds: number, redis: Redis): Promise<void> {
  const key = `captcha:used:${uniqueId}`;
  const check = `check-${randomBytes(12).toString("hex")}`;
  const isFirst = await onRedis("captcha single use", async () => {
    const written = await batched(redis).set(key, check, { nx: true, ex: expiresInSeconds + 60 });
    return written === "OK" || (await redis.get(key)) === check;
  });
  if (!isFirst) throw new AppError("captcha_rejected", { cause: new LoggableError("captcha: used before") });
}
