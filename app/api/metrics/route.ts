import { AppError } from "@/lib/errors";
import { apiRoute } from "@/lib/server/api-route";
import { requireToken } from "@/lib/server/bearer-token";
import { inTime } from "@/lib/server/deadline";
import { getEnv } from "@/lib/server/env";
import { getMeter } from "@/lib/server/metrics/meter";
import { redisDeadlineMs } from "@/lib/server/redis/answer";
import { readStanding } from "@/lib/server/standing";

export const dynamic = "force-dynamic";

/** What this process has counted, for Prometheus. It is 200 without Redis, too: then it says that Redis is not there. */
export const GET = apiRoute({ name: "metrics", sameOrigin: false }, async ({ bearerToken, response }) => {
  requireToken(bearerToken, getEnv().metricsToken);
  const meter = getMeter();
  if (!meter) throw new AppError("not_found");
  const standing = await inTime("metrics", redisDeadlineMs, readStanding).catch(() => null);
  response.headers.set("content-type", meter.contentType);
  return meter.read(standing);
});
