import "server-only";
import { getDelivery } from "./delivery";
import { getInbox, getMailer } from "./inbox";
import { mailUnmailed } from "./inbox/mail";
import { getLedger } from "./likes";
import { reconcile, type ReconcileReport } from "./likes/reconcile";

/** What runs every now and then, by the in-process timer or the cron route: finishes pending orders, keeps messages as long as configured, mails what waits. */
export async function runUpkeep(): Promise<ReconcileReport & { mailed: number }> {
  const report = await reconcile(getLedger(), getDelivery());
  await getInbox().applyRetention();
  const send = getMailer();
  return { ...report, mailed: send ? await mailUnmailed(getInbox(), send) : 0 };
}
