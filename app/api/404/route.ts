import { notFoundBody } from "@/lib/schemas/api-requests";
import { apiRoute } from "@/lib/server/http/api-route";
import { reportNotFound } from "@/lib/server/ops/not-found-reports";
import { getRedis } from "@/lib/server/redis/client";

export const POST = apiRoute(
  { name: "404", body: notFoundBody, rateLimit: "notFoundReport" },
  async ({ body }) => {
    await reportNotFound(body.path, getRedis());
    return { success: true };
  },
);
