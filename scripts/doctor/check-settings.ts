import { delivery, processing, recentUse, statistics } from "@/lib/content/claims";
import { sample as testimonials } from "@/lib/content/testimonials";
import { limits } from "@/lib/config/limits";
import { altchaDifficulty } from "@/lib/config/captcha-difficulty";
import type { Env } from "@/lib/server/config/env";
import { ok, problem, warning, type Finding } from "./finding";

const samples = { delivery, processing, recentUse, statistics };

/** What can be told from the settings and the content alone. */
export function checkSettings(env: Env, supportEmail: string): Finding[] {
  return [checkSecrets(env), checkUpkeep(env), checkLimits(env), checkContent(env, supportEmail)];
}

function isLive({ delivery: { kind } }: Env): boolean {
  return kind === "webhook";
}

function checkSecrets({ sessionSecrets, visitorHashSecrets }: Env): Finding {
  const [session] = sessionSecrets;
  if (session === visitorHashSecrets[0])
    return warning(
      "secrets",
      "SESSION_SECRET and VISITOR_HASH_SECRET are the same",
      "give each its own (openssl rand -base64 48), so that one that leaks does not take the other along",
    );
  const rotating = Math.max(sessionSecrets.length, visitorHashSecrets.length) > 1;
  return ok("secrets", rotating ? "two keys overlap: a rotation is under way" : "one of each, different");
}

function checkUpkeep({ reconcileEverySeconds, cronSecret }: Env): Finding {
  if (reconcileEverySeconds > 0) return ok("upkeep", `by the timer, every ${reconcileEverySeconds} s`);
  if (cronSecret)
    return ok("upkeep", "by the cron route; have it called every minute with the secret as Bearer token");
  return problem(
    "upkeep",
    "nothing finishes pending orders and mails what waits: the timer is off, and the cron route has no secret",
    "set RECONCILE_EVERY_SECONDS=60, or CRON_SECRET and a call of /api/cron/reconcile every minute",
  );
}

function altchaCost({ captcha }: Env): number {
  return (captcha.provider === "altcha" ? captcha.cost : undefined) ?? altchaDifficulty.cost;
}

function checkLimits(env: Env): Finding {
  const { dailyLikeLimit, cooldownSeconds } = env.ledger;
  const forTests = [
    ...(cooldownSeconds === limits.cooldownSeconds ? [] : ["TEST_COOLDOWN_SECONDS"]),
    ...(env.rateLimitScale === 1 ? [] : ["TEST_RATE_LIMIT_SCALE"]),
    ...(altchaCost(env) < altchaDifficulty.cost ? ["ALTCHA_COST"] : []),
  ];
  if (isLive(env) && forTests.length > 0)
    return warning(
      "limits",
      `${forTests.join(", ")}: a value for tests, and delivery is live`,
      "unset it: the pages promise 4 hours, and the limits and the check are what keeps robots out",
    );
  return ok("limits", `${dailyLikeLimit} likes a day, ${cooldownSeconds} s between two requests`);
}

function checkContent(env: Env, supportEmail: string): Finding {
  const left = Object.entries(samples).flatMap(([name, { sample }]) => (sample ? [name] : []));
  if (testimonials) left.push("testimonials");
  if (!isLive(env)) return ok("content", "a demo: sample content and addresses may stay");
  if (left.length > 0)
    return warning(
      "content",
      `sample content is still shown, with its label: ${left.join(", ")}`,
      "replace it with what you can prove in lib/content/claims.ts and testimonials.ts, and set sample to false",
    );
  if (supportEmail.endsWith("@example.com"))
    return warning("content", "the pages name support@example.com", "set SUPPORT_EMAIL, and build again");
  return ok("content", "no sample content is left");
}
