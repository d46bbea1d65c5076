import "server-only";
import { getEnv } from "@/lib/server/config/env";
import { getDelivery } from "@/lib/server/delivery";
import { getInbox, getMailer } from "@/lib/server/inbox";
import { mailDigest, mailUnmailed } from "@/lib/server/inbox/mail";
import { getLedger } from "@/lib/server/likes";
import { getRedis } from "@/lib/server/redis/client";
import { rewriteAppendOnlyFile } from "@/lib/server/redis/probe";
import { reconcile, type ReconcileReport } from "@/lib/server/likes/reconcile";

const dayMs = 86_400_000;
let rewrittenAt = -Infinity;

/**
 * Retries pending orders, applies INBOX_RETENTION_DAYS, and mails form messages that are not mailed yet. Once a day, removes
 * expired data from the disk of Redis.
 */
export async function runMaintenance(): Promise<ReconcileReport & { mailed: number }> {
  const report = await reconcile(getLedger(), getDelivery());
  await getInbox().applyRetention();
  if (getEnv().redis.kind === "tcp" && Date.now() - rewrittenAt > dayMs) {
    rewrittenAt = Date.now();
    await rewriteAppendOnlyFile(getRedis());
  }
  const mailer = getMailer();
  if (!mailer) return { ...report, mailed: 0 };
  const mailed = await mailUnmailed(getInbox(), mailer);
  await mailDigest(getInbox(), mailer);
  return { ...report, mailed };
}
