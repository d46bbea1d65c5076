import { captchaBody } from "@/lib/flow/api-requests";
import { apiRoute } from "@/lib/server/http/api-route";
import { checkRequestCaptcha } from "@/lib/server/captcha";
import { createFlow, endFlows, writeFlow } from "@/lib/server/cookies/flow-cookie";

/** Checks a captcha token. If the request contains a post link, also starts a flow for that post. */
export const POST = apiRoute(
  { name: "verify", body: captchaBody },
  async ({ request, body, visitor, response }) => {
    const reply = await checkRequestCaptcha(body.token, request, visitor);
    if (!body.url) return reply;
    endFlows(response.headers, request);
    await writeFlow(response, createFlow(body.url));
    return reply;
  },
);
