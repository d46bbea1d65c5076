import "server-only";
import { createHash } from "node:crypto";
import { AppError } from "@/lib/errors";
import type { FormName, Inbox, InboxMessage, KeepResult } from "./inbox";

export interface FormSubmission {
  form: FormName;
  fields: InboxMessage["fields"];
  token: string;
  requestKey: string | null;
}

/**
 * Takes a form: idempotency, human check, keep. Resolves with the message that is to be mailed, or null when the same
 * request was taken before; a repetition costs no second human check.
 */
export async function submitMessage(
  { form, fields, token, requestKey }: FormSubmission,
  inbox: Inbox,
  checkHuman: (token: string) => Promise<unknown>,
): Promise<InboxMessage | null> {
  const bodyHash = createHash("sha256")
    .update(JSON.stringify([form, fields]))
    .digest("base64url");
  const repetition = await inbox.findRepetition(requestKey, bodyHash);
  if (repetition) return readResult(repetition);
  try {
    await checkHuman(token);
  } catch (error) {
    // The same request may have been taken while this one was on its way: then its token was used up by that.
    const meanwhile = await inbox.findRepetition(requestKey, bodyHash);
    if (meanwhile) return readResult(meanwhile);
    throw error;
  }
  return readResult(await inbox.keep({ form, fields, requestKey, bodyHash }));
}

function readResult(result: KeepResult): InboxMessage | null {
  if (result.kind === "key_reused") {
    throw new AppError("idempotency_key_reused", {
      message: "This request was already used for another message.",
    });
  }
  return result.kind === "kept" ? result.message : null;
}
