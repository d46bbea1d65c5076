import type { SiteKeyReply } from "@/lib/schemas/api-responses";
import { apiRoute } from "@/lib/server/http/api-route";
import { getCaptcha } from "@/lib/server/captcha";

export const dynamic = "force-dynamic";

/** Returns the name and the public site key of the configured captcha provider. */
export const GET = apiRoute({ name: "sitekey" }, () => {
  const { name, siteKey } = getCaptcha();
  return Promise.resolve<SiteKeyReply>({ sitekey: siteKey, provider: name });
});
