import { AppError } from "@/lib/errors";
import { apiRoute } from "@/lib/server/api-route";
import { getCaptcha } from "@/lib/server/captcha";
import { priceOf } from "@/lib/server/captcha/price";
import { getLedger } from "@/lib/server/likes";

export const dynamic = "force-dynamic";

export const GET = apiRoute({ name: "challenge", flood: "challenge" }, async ({ visitor }) => {
  const captcha = getCaptcha();
  if (!captcha.createChallenge) throw new AppError("not_found");
  return captcha.createChallenge(await priceOf(visitor, getLedger()));
});
