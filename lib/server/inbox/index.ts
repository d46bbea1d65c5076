import "server-only";
import { getEnv } from "@/lib/server/config/env";
import { getRedis } from "@/lib/server/redis/client";
import { createInbox, type Inbox } from "./inbox";
import { createMailer, type Mailer } from "./mail";

let sharedInbox: Inbox | undefined;
let sharedMailer: Mailer | undefined;

/** Returns the inbox. Creates one instance per process. */
export function getInbox(): Inbox {
  return (sharedInbox ??= createInbox(getRedis(), getEnv().mail !== null));
}

/** Returns the function that mails the operator. Returns null when mail is not configured. */
export function getMailer(): Mailer | null {
  const { mail } = getEnv();
  return mail && (sharedMailer ??= createMailer(mail));
}
