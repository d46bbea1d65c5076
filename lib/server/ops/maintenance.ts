import "server-only";
import { getDelivery } from "@/lib/server/delivery";
import { getInbox, getMailer } from "@/lib/server/inbox";
import { mailDigest, mailUnmailed } from "@/lib/server/inbox/mail";
import { getLedger } from "@/lib/server/likes";
import { reconcile, type ReconcileReport } from "@/lib/server/likes/reconcile";

/** Retries pending orders, applies INBOX_RETENTION_DAYS, and mails form messages that are not mailed yet. */
export async function runMaintenance(): Promise<ReconcileReport & { mailed: number }> {
  const report = await reconcile(getLedger(), getDelivery());
  await getInbox().applyRetention();
  const mailer = getMailer();
  if (!mailer) return { ...report, mailed: 0 };
  const mailed = await mailUnmailed(getInbox(), mailer);
  await mailDigest(getInbox(), mailer);
  return { ...report, mailed };
}
