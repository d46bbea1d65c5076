import "server-only";
import { getEnv } from "@/lib/server/config/env";
import { getRedis } from "@/lib/server/redis/client";
import { createInbox, type Inbox } from "./inbox";
import { createMailer, type SendMail } from "./mail";

let sharedInbox: Inbox | undefined;
let sharedMailer: SendMail | undefined;

/** Returns the inbox with the configured retention. Creates one instance per process. */
export function getInbox(): Inbox {
  const { inboxRetentionDays, mail } = getEnv();
  return (sharedInbox ??= createInbox(getRedis(), {
    retentionDays: inboxRetentionDays,
    mailed: mail !== null,
  }));
}

/** Returns the function that mails a message to the operator. Returns null when mail is not configured. */
export function getMailer(): SendMail | null {
  const { mail } = getEnv();
  return mail && (sharedMailer ??= createMailer(mail));
}
