import "server-only";
import type { Env } from "@/lib/server/config/env";
import { log } from "@/lib/server/log/log";
import type { Inbox, InboxMessage } from "./inbox";

/** `mailUnmailed` stops after this many failures in a row, because the mail server is probably down. */
const maxFailuresInARow = 2;
const maxMessagesPerRun = 50;

type MailSettings = NonNullable<Env["mail"]>;

/** Mails a message to the operator. Throws if the mail server fails. */
export type Mailer = (message: InboxMessage) => Promise<void>;

/** Creates the function that mails messages, over one connection. The visitor's address is only in Reply-To, never in From. */
export function createMailer(settings: MailSettings): Mailer {
  const { from, to } = settings;
  let transport: ReturnType<typeof openTransport> | undefined;
  return async (message) => {
    transport ??= openTransport(settings);
    const connection = await transport;
    await connection.sendMail({
      ...{ to, from, headers: { "Auto-Submitted": "auto-generated" } },
      replyTo: { name: String(message.fields.name), address: String(message.fields.email) },
      subject: subjectOf(message),
      // All attempts to mail a message use one Message-ID, so that mail programs detect duplicates.
      messageId: `<${message.id}@inbox>`,
      text: textOf(message),
    });
  };
}

/** Connects to the mail server and logs in. Sends no mail. Returns null on success, or the error code. */
export async function tryLogin(settings: MailSettings): Promise<string | null> {
  const transport = await openTransport(settings, 10_000);
  try {
    await transport.verify();
    return null;
  } catch (error) {
    return codeOf(error);
  } finally {
    transport.close();
  }
}

/**
 * A server that filters content takes a while to accept a mail. After a time-out it would get the mail again. A process that
 * stops waits for its mails, and deploy/boost50.service gives it 65 s.
 */
const answerTimeoutMs = 60_000;

async function openTransport({ smtpUrl, from }: MailSettings, socketTimeout = answerTimeoutMs) {
  const { createTransport } = await import("nodemailer");
  const url = new URL(smtpUrl);
  // In nodemailer, URL parameters override options. SMTP_URL must not override `requireTLS` below.
  for (const name of [...url.searchParams.keys()])
    if (/^requireTLS$/i.test(name)) url.searchParams.delete(name);
  const hasLogin = url.username !== "" || url.password !== "";
  return createTransport(
    {
      url: url.href,
      // Without a name, nodemailer greets as [127.0.0.1] if the host's name has no dot. Some servers refuse that.
      name: from.slice(from.indexOf("@") + 1),
      pool: true,
      maxConnections: 1,
      idleTimeout: 5_000,
      connectionTimeout: 5_000,
      greetingTimeout: 5_000,
      socketTimeout,
      // Never sends a password without TLS, even if an attacker hides that the mail server supports STARTTLS.
      requireTLS: hasLogin,
      // Without a password, TLS is optional, so its certificate proves nothing. Local relays often sign their own.
      tls: { rejectUnauthorized: hasLogin || url.protocol === "smtps:" },
    },
    { from },
  );
}

/**
 * Mails up to 50 messages that are due, and returns the number of mailed messages. Logs failures. A later run tries a message
 * again, unless the server refuses it for good. Then it is only in the inbox.
 */
export async function mailUnmailed(inbox: Inbox, mailer: Mailer): Promise<number> {
  let mailed = 0;
  let failuresInARow = 0;
  for (let n = 0; n < maxMessagesPerRun && failuresInARow < maxFailuresInARow; n += 1) {
    const message = await inbox.claimUnmailed();
    if (!message) break;
    const { id: messageId } = message;
    const error: unknown = await mailer(message).catch((reason: unknown) => reason);
    if (error !== undefined) await inbox.returnMail(messageId);
    if (isPermanent(error))
      log.warn("mail refused", { messageId, cause: codeOf(error), status: error.responseCode });
    else if (error !== undefined) {
      log.warn("mail failed", { messageId, cause: codeOf(error) });
      failuresInARow += 1;
      continue;
    } else mailed += 1;
    failuresInARow = 0;
    await inbox.markMailed(messageId);
  }
  return mailed;
}

/** Returns whether the server refuses the text of a message for good. Refused senders and recipients are wrong settings. */
function isPermanent(error: unknown): error is Error & { responseCode: number } {
  const { code, responseCode } = (error ?? {}) as { code?: string; responseCode?: number };
  return code === "EMESSAGE" && Number(responseCode) >= 500;
}

function subjectOf({ form, fields }: InboxMessage): string {
  const topic = fields.subject ?? fields.feedbackType ?? fields.issueType ?? "";
  return `[${form}] ${String(topic).replace(/\s+/g, " ")}`.trim();
}

function textOf({ id, receivedAt, fields }: InboxMessage): string {
  // A line of the visitor must not look like another field.
  const lines = Object.entries(fields).map(
    ([name, value]) => `${name}: ${String(value).replace(/\r\n?|[\n\v\f\u0085\u2028\u2029]/g, "\n  ")}`,
  );
  return [...lines, "", `Received ${receivedAt}, message ${id}`].join("\n");
}

/** Returns the error code for the log. nodemailer's error messages may contain e-mail addresses. */
function codeOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "unknown";
}
