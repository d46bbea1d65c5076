import { AppError } from "@/lib/http/errors";
import { apiRoute, requireToken } from "@/lib/server/http/api-route";
import { timeoutError, withTimeout } from "@/lib/server/async/with-timeout";
import { getEnv } from "@/lib/server/config/env";
import { getMeter } from "@/lib/server/metrics/meter";
import { redisDeadlineMs } from "@/lib/server/redis/reply";
import { readHealthSnapshot } from "@/lib/server/boot/health-snapshot";

export const dynamic = "force-dynamic";

/** Returns the metrics of this process. If Redis fails, responds 200 with `boost50_redis_up` 0. */
export const GET = apiRoute({ name: "metrics", sameOrigin: false }, async ({ request, response }) => {
  requireToken(request, getEnv().metricsToken);
  const meter = getMeter();
  if (!meter) throw new AppError("not_found");
  const reading = withTimeout(redisDeadlineMs, () => timeoutError("metrics"), readHealthSnapshot);
  const snapshot = await reading.catch(() => null);
  response.headers.set("content-type", meter.contentType);
  return meter.read(snapshot);
});
