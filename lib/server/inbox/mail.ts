import "server-only";
import type { Env } from "@/lib/server/config/env";
import { log } from "@/lib/server/ops/log";
import type { Inbox, InboxMessage } from "./inbox";

/** A run stops after this many failures in a row: the mail server is down. */
const maxFailuresInARow = 2;
const maxMailsPerRun = 50;

export type MailSettings = NonNullable<Env["mail"]>;
export type SendMail = (message: InboxMessage) => Promise<void>;

/**
 * Mails messages to the operator. The sender is always our own; the visitor stands in Reply-To alone, so that nobody
 * sends mail in another's name through us. nodemailer folds or drops line breaks in headers.
 */
export function createMailer(settings: MailSettings): SendMail {
  const { from, to } = settings;
  let transport: ReturnType<typeof openTransport> | undefined;
  return async (message) => {
    transport ??= openTransport(settings);
    await (
      await transport
    ).sendMail({
      to,
      from,
      replyTo: { name: String(message.fields.name), address: String(message.fields.email) },
      subject: subjectOf(message),
      // The same for every try, so that a mail program can tell a repetition.
      messageId: `<${message.id}@inbox>`,
      text: textOf(message),
    });
  };
}

/** Connects and logs in, and sends nothing. Resolves with null, or with the code of what went wrong. */
export async function tryLogin(settings: MailSettings): Promise<string | null> {
  const transport = await openTransport(settings);
  try {
    await transport.verify();
    return null;
  } catch (error) {
    return codeOf(error);
  } finally {
    transport.close();
  }
}

/** The package is loaded with the first mail, not with the server. */
async function openTransport({ smtpUrl, from }: MailSettings) {
  const { createTransport } = await import("nodemailer");
  const url = new URL(smtpUrl);
  // What the address says wins over what stands here.
  for (const name of [...url.searchParams.keys()])
    if (/^requireTLS$/i.test(name)) url.searchParams.delete(name);
  return createTransport(
    {
      url: url.href,
      connectionTimeout: 5_000,
      greetingTimeout: 5_000,
      socketTimeout: 10_000,
      // A password goes out in no clear text, even where somebody in between takes STARTTLS out of the server's greeting.
      requireTLS: url.username !== "" || url.password !== "",
    },
    { from },
  );
}

/** Mails one message; a failure is logged and left for the next run. Returns whether it went out. */
export async function mailMessage(message: InboxMessage, inbox: Inbox, send: SendMail): Promise<boolean> {
  try {
    await send(message);
    await inbox.markMailed(message.id);
    return true;
  } catch (error) {
    log.warn("mail failed", { messageId: message.id, cause: codeOf(error) });
    return false;
  }
}

/** Mails what is due, and returns how many went out. */
export async function mailUnmailed(inbox: Inbox, send: SendMail): Promise<number> {
  let mailed = 0;
  let failures = 0;
  while (mailed < maxMailsPerRun && failures < maxFailuresInARow) {
    const message = await inbox.claimUnmailed();
    if (!message) break;
    const sent = await mailMessage(message, inbox, send);
    mailed += sent ? 1 : 0;
    failures = sent ? 0 : failures + 1;
  }
  return mailed;
}

function subjectOf({ form, fields }: InboxMessage): string {
  const topic = fields.subject ?? fields.feedbackType ?? fields.issueType ?? "";
  return `[${form}] ${String(topic).replace(/\s+/g, " ")}`.trim();
}

function textOf({ id, receivedAt, fields }: InboxMessage): string {
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${String(value)}`);
  return [...lines, "", `Received ${receivedAt}, message ${id}`].join("\n");
}

/** SMTP's own code; messages of the library may hold addresses. */
function codeOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "unknown";
}
