import "server-only";
import { retention } from "@/lib/config/limits";
import { getEnv } from "@/lib/server/config/env";
import { getRedis } from "@/lib/server/redis/client";
import { createInbox, type Inbox } from "./inbox";
import { createMailer, type Mailer } from "./mail";

let sharedInbox: Inbox | undefined;
let sharedMailer: Mailer | undefined;

/** Returns the inbox with the configured retention. Creates one instance per process. */
export function getInbox(): Inbox {
  const { mail } = getEnv();
  return (sharedInbox ??= createInbox(getRedis(), {
    retentionDays: retention.inboxDays,
    mailed: mail !== null,
  }));
}

/** Returns the functions that mail the operator. Returns null when mail is not configured. */
export function getMailer(): Mailer | null {
  const { mail } = getEnv();
  return mail && (sharedMailer ??= createMailer(mail));
}
