import { AppError } from "@/lib/http/errors";
import { apiRoute } from "@/lib/server/http/api-route";
import { requireToken } from "@/lib/server/http/bearer-token";
import { withTimeout } from "@/lib/server/async/with-timeout";
import { getEnv } from "@/lib/server/config/env";
import { getMeter } from "@/lib/server/ops/meter";
import { redisDeadlineMs } from "@/lib/server/redis/reply";
import { readHealthSnapshot } from "@/lib/server/ops/health-snapshot";

export const dynamic = "force-dynamic";

/** What this process has counted, for Prometheus. It is 200 without Redis, too: then it says that Redis is not there. */
export const GET = apiRoute({ name: "metrics", sameOrigin: false }, async ({ bearerToken, response }) => {
  requireToken(bearerToken, getEnv().metricsToken);
  const meter = getMeter();
  if (!meter) throw new AppError("not_found");
  const standing = await withTimeout("metrics", redisDeadlineMs, readHealthSnapshot).catch(() => null);
  response.headers.set("content-type", meter.contentType);
  return meter.read(standing);
});
