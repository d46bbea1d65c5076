import "server-only";
import { createHash } from "node:crypto";
import { AppError } from "@/lib/http/errors";
import { getSiteSettings } from "@/lib/server/config/env";
import type { FormName, Inbox, InboxMessage, StoreResult, Submission } from "./inbox";

export interface FormSubmission {
  form: FormName;
  fields: InboxMessage["fields"];
  visitor: Submission["visitor"];
  /** Hash of the visitor's Idempotency-Key, or null. */
  requestKey: string | null;
}

const retryFullInboxSeconds = 3_600;

/**
 * Stores a form message and returns the message for mailing. Returns null if this request was stored before.
 * Otherwise throws an AppError.
 *
 * @param checkCaptcha Calls its argument before it uses up the captcha token. A full inbox then does not use up the token, and a
 *   request with a wrong token does not reach the inbox.
 */
export async function submitMessage(
  { form, fields, visitor, requestKey }: FormSubmission,
  inbox: Inbox,
  checkCaptcha: (beforeUse: () => Promise<void>) => Promise<unknown>,
): Promise<InboxMessage | null> {
  const bodyHash = createHash("sha256")
    .update(JSON.stringify([form, fields]))
    .digest("base64url");
  const submission = { form, fields, visitor, requestKey, bodyHash };
  const known: { result?: StoreResult | null } = {};
  try {
    await checkCaptcha(async () => {
      known.result = await inbox.precheck(submission);
      if (known.result) throw new Error("the inbox does not need this message, or has no room");
    });
  } catch (error) {
    // This request may arrive twice at once. The other copy may have used the token and stored the message.
    known.result ??= await inbox.findEarlier(submission);
    if (!known.result) throw error;
  }
  return unwrapResult(known.result ?? (await inbox.store(submission)));
}

function unwrapResult(result: StoreResult): InboxMessage | null {
  const { supportEmail } = getSiteSettings();
  switch (result.kind) {
    case "stored":
      return result.message;
    case "repeated":
      return null;
    case "key_reused":
      throw new AppError("idempotency_key_reused", {
        message: "This request was already used for another message.",
      });
    case "address_full":
      throw new AppError("message_cap", {
        message: `Too many messages came from your network in the last 24 hours. Please write to ${supportEmail} instead.`,
        retryAfterSeconds: result.waitSeconds,
      });
    case "inbox_full":
      throw new AppError("inbox_full", {
        message: `Our inbox is full, so your message was not kept. Please write to ${supportEmail} instead.`,
        retryAfterSeconds: retryFullInboxSeconds,
      });
  }
}
