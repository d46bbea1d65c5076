import { deliveryTimes, processing, recentUse, statistics } from "@/lib/content/figures";
import { sample as testimonials } from "@/lib/content/testimonials";
import type { Env } from "@/lib/server/config/env";
import { findingsOf, type Finding } from "./finding";

/** Checks the settings and the content of the pages. */
export function checkSettings(env: Env, supportEmail: string): Finding[] {
  return [checkSecrets(env), describeBudget(env), checkMaintenance(env), checkContent(env, supportEmail)];
}

function describeBudget({ ledger: { dailyLikeLimit, pacing } }: Env): Finding {
  const { ok } = findingsOf("budget");
  return ok(
    `${dailyLikeLimit.toLocaleString("en-US")} likes a day, ${pacing ? "paced" : "not paced"} (DAILY_PACING)`,
  );
}

function checkSecrets({ sessionSecrets, visitorHashSecrets }: Env): Finding {
  const { ok, warning } = findingsOf("secrets");
  if (sessionSecrets[0] === visitorHashSecrets[0])
    return warning(
      "SESSION_SECRET and VISITOR_HASH_SECRET are the same",
      "give each its own (openssl rand -base64 48), so that a leak of one does not reveal the other",
    );
  const rotating = Math.max(sessionSecrets.length, visitorHashSecrets.length) > 1;
  return ok(rotating ? "two keys overlap during a rotation" : "one of each, different");
}

function checkMaintenance({ reconcileEverySeconds, cronSecret }: Env): Finding {
  const { ok, problem } = findingsOf("upkeep");
  if (reconcileEverySeconds > 0) return ok(`by the timer, every ${reconcileEverySeconds} s`);
  if (cronSecret) return ok("by the cron route; call it every minute with the secret as Bearer token");
  return problem(
    "nothing finishes pending orders and mails what waits: the timer is off, and the cron route has no secret",
    "set RECONCILE_EVERY_SECONDS=60, or CRON_SECRET and a call of /api/cron/reconcile every minute",
  );
}

function checkContent(env: Env, supportEmail: string): Finding {
  const { ok, warning } = findingsOf("content");
  if (env.delivery.kind !== "webhook") return ok("a demo: sample content and addresses may stay");
  const figures = Object.entries({ deliveryTimes, processing, recentUse, statistics });
  const samples = figures.flatMap(([name, { sample }]) => (sample ? [name] : []));
  if (testimonials) samples.push("testimonials");
  if (samples.length > 0)
    return warning(
      `sample content is still shown, with its label: ${samples.join(", ")}`,
      "replace it with what you can prove in lib/content/figures.ts and testimonials.ts, and set sample to false",
    );
  if (supportEmail.endsWith("@example.com"))
    return warning("the pages name support@example.com", "set SUPPORT_EMAIL, and build again");
  return ok("no sample content is left");
}
