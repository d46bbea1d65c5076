import "server-only";
import type { z } from "zod";
import type { FormReply } from "@/lib/schemas/api-responses";
import { apiRoute } from "@/lib/server/http/api-route";
import { checkRequestCaptcha } from "@/lib/server/captcha";
import { getInbox, getMailer } from ".";
import type { FormName, InboxMessage } from "./inbox";
import { mailMessage } from "./mail";
import { submitMessage } from "./submit-message";

type FormBody = { token: string } & Record<string, string | boolean | undefined>;

/** Creates the POST handler of a form. A successful response contains `successMessage`. */
export function formRoute<Body extends FormBody>(
  form: FormName,
  schema: z.core.$ZodType<Body>,
  successMessage: string,
) {
  return apiRoute(
    { name: form, body: schema },
    async ({ body, host, visitor, requestKey, afterResponse }) => {
      const { token, ...fields } = body;
      const submission = { form, fields: withoutEmpty(fields), visitor, requestKey };
      const message = await submitMessage(submission, getInbox(), (beforeUse) =>
        checkRequestCaptcha(token, host, visitor, beforeUse),
      );
      const mailer = getMailer();
      if (message && mailer) afterResponse(() => mailMessage(message, getInbox(), mailer));
      return { success: true, message: successMessage } satisfies FormReply;
    },
  );
}

function withoutEmpty(fields: Record<string, string | boolean | undefined>): InboxMessage["fields"] {
  const filled: InboxMessage["fields"] = {};
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined && value !== "") filled[name] = value;
  }
  return filled;
}
