import type { LikeReply } from "@/lib/http/api-responses";
import { AppError } from "@/lib/http/errors";
import { cacheControl } from "@/lib/http/response-headers";
import { apiRoute } from "@/lib/server/http/api-route";

/** Returns the receipt of the accepted order in the flow cookie. */
export const GET = apiRoute({ name: "receipt" }, async ({ readFlow, response }) => {
  const receipt = (await readFlow())?.receipt;
  if (!receipt) throw new AppError("not_found");
  response.headers.set("cache-control", cacheControl.personal);
  return { success: true, order: receipt } satisfies LikeReply;
});
