import { AppError } from "@/lib/http/errors";
import { apiRoute } from "@/lib/server/http/api-route";
import { getCaptcha } from "@/lib/server/captcha";

export const dynamic = "force-dynamic";

/** Creates a captcha challenge. Responds 404 if the configured captcha provider does not need challenges. */
export const GET = apiRoute({ name: "challenge", rateLimit: "challenge" }, async () => {
  const captcha = getCaptcha();
  if (!captcha.createChallenge) throw new AppError("not_found");
  return captcha.createChallenge();
});
