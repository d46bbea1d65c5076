import { captchaBody } from "@/lib/flow/api-requests";
import { apiRoute } from "@/lib/server/http/api-route";
import { checkRequestCaptcha } from "@/lib/server/captcha";
import { createFlow } from "@/lib/server/cookies/flow-cookie";

/** Checks a captcha token. If the request contains a post link, also starts a flow for that post. */
export const POST = apiRoute(
  { name: "verify", body: captchaBody },
  async ({ body, host, visitor, response }) => {
    const reply = await checkRequestCaptcha(body.token, host, visitor);
    if (body.url) response.startFlow(createFlow(body.url));
    return reply;
  },
);
