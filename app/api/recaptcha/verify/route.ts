import { captchaBody } from "@/lib/schemas/api-requests";
import { apiRoute } from "@/lib/server/http/api-route";
import { checkRateLimit, rateLimitPolicies } from "@/lib/server/http/rate-limits";
import { getCaptcha } from "@/lib/server/captcha";
import { checkCaptcha } from "@/lib/server/captcha/check-captcha";
import { getEnv } from "@/lib/server/config/env";
import { getRedis } from "@/lib/server/redis/client";
import { createFlow } from "@/lib/server/cookies/flow-cookie";

/** Checks a captcha token. If the request contains a post link, also sets the flow cookie for that post. */
export const POST = apiRoute(
  { name: "verify", body: captchaBody },
  async ({ body, host, visitor, response }) => {
    const [address = ""] = visitor.addressHashes;
    const reply = await checkCaptcha(
      { token: body.token, host },
      getCaptcha(),
      getRedis(),
      getEnv().captcha,
      {
        address,
        accepted: rateLimitPolicies.verify.requests * getEnv().rateLimitScale,
        count: (policy) => checkRateLimit(policy, visitor),
      },
    );
    if (body.url) response.setFlow(createFlow(body.url));
    return reply;
  },
);
