import { notFoundBody } from "@/lib/flow/api-requests";
import { apiRoute } from "@/lib/server/http/api-route";
import { reportNotFound } from "@/lib/server/not-found/not-found-reports";
import { getRedis } from "@/lib/server/redis/client";

/** Counts a path that the site does not have. A script of the not-found page sends the path. */
export const POST = apiRoute(
  { name: "404", body: notFoundBody, rateLimit: "notFoundReport" },
  async ({ body }) => {
    await reportNotFound(body.path, getRedis());
    return { success: true };
  },
);
