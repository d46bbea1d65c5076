import { AppError } from "@/lib/errors";
import { apiRoute } from "@/lib/server/api-route";
import { getCaptcha } from "@/lib/server/captcha";

export const dynamic = "force-dynamic";

export const GET = apiRoute({ name: "challenge" }, () => {
  const challenge = getCaptcha().createChallenge?.();
  if (!challenge) throw new AppError("not_found");
  return challenge;
});
