import "server-only";
import type { z } from "zod";
import type { FormReply } from "@/lib/schemas/api-responses";
import { apiRoute } from "@/lib/server/http/api-route";
import { checkRequestCaptcha } from "@/lib/server/captcha";
import { getInbox, getMailer } from ".";
import type { InboxMessage } from "./inbox";
import { mailUnmailed } from "./mail";

type FormBody = { token: string } & Record<string, string | boolean | undefined>;

/** Creates the POST handler of a form. A successful response contains `successMessage`. */
export function formRoute<Body extends FormBody>(
  form: InboxMessage["form"],
  schema: z.core.$ZodType<Body>,
  successMessage: string,
) {
  return apiRoute(
    { name: form, body: schema },
    async ({ request, body, visitor, requestKey, afterResponse }) => {
      const { token, ...fields } = body;
      // The JSON of a message has no undefined fields.
      const submission = { form, fields: fields as InboxMessage["fields"], visitor, requestKey };
      const inbox = getInbox();
      const reply = { success: true, message: successMessage } satisfies FormReply;
      try {
        await checkRequestCaptcha(token, request, visitor);
      } catch (error) {
        // This request may arrive twice at once. The other copy may have used the token and stored the message.
        if (await inbox.hasStored(submission)) return reply;
        throw error;
      }
      await inbox.store(submission);
      const mailer = getMailer();
      if (mailer) afterResponse(() => mailUnmailed(inbox, mailer));
      return reply;
    },
  );
}
