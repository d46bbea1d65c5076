import "server-only";
import { getEnv } from "@/lib/server/config/env";
import { getDelivery } from "@/lib/server/delivery/delivery";
import { getInbox, getMailer } from "@/lib/server/inbox";
import { mailUnmailed } from "@/lib/server/inbox/mail";
import { getLedger } from "@/lib/server/likes";
import { getRedis } from "@/lib/server/redis/client";
import { rewriteAppendOnlyFile } from "@/lib/server/redis/probe";
import { reconcile } from "@/lib/server/likes/deliver-orders";

let rewrittenAt = -Infinity;
let visitedAt = -Infinity;
/** Milliseconds between two runs of `reconcileAfterVisit`. */
const visitEveryMs = 60_000;
/** A function may run 15 s (vercel.json), and its last delivery takes 12 s at most. */
const visitRunMs = 1_000;

/** Retries pending orders, at most once a minute on all instances. For a serverless host, which has no timer. */
export async function reconcileAfterVisit(): Promise<void> {
  if (Date.now() - visitedAt < visitEveryMs) return;
  visitedAt = Date.now();
  const isFirst = await getRedis().set("{likes}:v1:visit", "1", { nx: true, px: visitEveryMs });
  if (isFirst) await reconcile(getLedger(), getDelivery(), visitRunMs);
}

/** Retries pending orders, mails form messages, and once a day rewrites the file of Redis. */
export async function runMaintenance() {
  const report = await reconcile(getLedger(), getDelivery());
  if (getEnv().redis.kind === "tcp" && Date.now() - rewrittenAt > 86_400_000) {
    rewrittenAt = Date.now();
    await rewriteAppendOnlyFile(getRedis());
  }
  const mailer = getMailer();
  return { ...report, mailed: mailer ? await mailUnmailed(getInbox(), mailer) : 0 };
}
