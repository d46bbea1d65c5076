import { captchaBody } from "@/lib/schemas/flow";
import { apiRoute } from "@/lib/server/api-route";
import { checkBurst } from "@/lib/server/burst-limits";
import { getCaptcha } from "@/lib/server/captcha";
import { checkCaptcha } from "@/lib/server/captcha/check-captcha";
import { getEnv } from "@/lib/server/env";
import { getRedis } from "@/lib/server/redis/client";
import { newFlow } from "@/lib/server/session";

export const POST = apiRoute(
  { name: "verify", body: captchaBody },
  async ({ body, host, visitor, response }) => {
    const reply = await checkCaptcha(
      { token: body.token, host },
      getCaptcha(),
      getRedis(),
      getEnv().captcha,
      () => checkBurst("verify", visitor),
    );
    if (body.url) response.setFlow(newFlow(body.url));
    return reply;
  },
);
