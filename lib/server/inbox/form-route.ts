import "server-only";
import type { z } from "zod";
import type { FormReply } from "@/lib/http/api-responses";
import { apiRoute } from "@/lib/server/http/api-route";
import { getCaptcha } from "@/lib/server/captcha";
import { checkCaptcha } from "@/lib/server/captcha/check-captcha";
import { getEnv } from "@/lib/server/config/env";
import { getRedis } from "@/lib/server/redis/client";
import { getInbox, getMailer } from ".";
import type { FormName, InboxMessage } from "./inbox";
import { mailMessage } from "./mail";
import { submitMessage } from "./submit-message";

type FormBody = { token: string } & Record<string, string | boolean | undefined>;

/** The route of one form: they differ in name, schema and the words of success. */
export function formRoute<Body extends FormBody>(form: FormName, schema: z.ZodType<Body>, success: string) {
  return apiRoute(
    { name: form, body: schema, burst: "form" },
    async ({ body, host, visitor, requestKey, afterAnswer }) => {
      const { token, ...fields } = body;
      const [address = ""] = visitor.addressHashes;
      const message = await submitMessage(
        { form, fields: withoutEmpty(fields), token, address, requestKey },
        getInbox(),
        (given) => checkCaptcha({ token: given, host }, getCaptcha(), getRedis(), getEnv().captcha),
      );
      const send = getMailer();
      if (message && send) afterAnswer(() => mailMessage(message, getInbox(), send));
      return { success: true, message: success } satisfies FormReply;
    },
  );
}

function withoutEmpty(fields: Record<string, string | boolean | undefined>): InboxMessage["fields"] {
  const kept: InboxMessage["fields"] = {};
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined && value !== "") kept[name] = value;
  }
  return kept;
}
