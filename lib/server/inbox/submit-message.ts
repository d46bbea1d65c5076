import "server-only";
import { createHash } from "node:crypto";
import { AppError } from "@/lib/http/errors";
import { getSiteSettings } from "@/lib/server/config/env";
import type { FormName, Inbox, InboxMessage, StoreResult } from "./inbox";

export interface FormSubmission {
  form: FormName;
  fields: InboxMessage["fields"];
  token: string;
  /** Hashes of the visitor's address and of the Idempotency-Key, if there is one. */
  address: string;
  requestKey: string | null;
}

const retryFullInboxSeconds = 3_600;

/**
 * Takes a form: idempotency, room, human check, keep. Resolves with the message that is to be mailed, or null when the
 * same request was taken before; a repetition costs no second human check, and neither does what there is no room for.
 */
export async function submitMessage(
  { form, fields, token, address, requestKey }: FormSubmission,
  inbox: Inbox,
  checkHuman: (token: string) => Promise<unknown>,
): Promise<InboxMessage | null> {
  const bodyHash = createHash("sha256")
    .update(JSON.stringify([form, fields]))
    .digest("base64url");
  const submission = { form, fields, address, requestKey, bodyHash };
  const obstacle = await inbox.findObstacle(submission);
  if (obstacle) return readResult(obstacle);
  try {
    await checkHuman(token);
  } catch (error) {
    // The same request may have been taken while this one was on its way: then its token was used up by that.
    const meanwhile = await inbox.findObstacle(submission);
    if (meanwhile?.kind === "repeated" || meanwhile?.kind === "key_reused") return readResult(meanwhile);
    throw error;
  }
  return readResult(await inbox.keep(submission));
}

function readResult(result: StoreResult): InboxMessage | null {
  const { supportEmail } = getSiteSettings();
  switch (result.kind) {
    case "kept":
      return result.message;
    case "repeated":
      return null;
    case "key_reused":
      throw new AppError("idempotency_key_reused", {
        message: "This request was already used for another message.",
      });
    case "address_full":
      throw new AppError("message_cap", {
        message: `Too many messages came from your network today. Please write to ${supportEmail} instead.`,
        retryAfterSeconds: result.waitSeconds,
      });
    case "inbox_full":
      throw new AppError("inbox_full", {
        message: `Our inbox is full, so your message was not kept. Please write to ${supportEmail} instead.`,
        retryAfterSeconds: retryFullInboxSeconds,
      });
  }
}
