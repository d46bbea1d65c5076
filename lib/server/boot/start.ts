import "server-only";
import { constants } from "node:os";
import { getEnv, readEnv } from "@/lib/server/config/env";
import { hasHttpServer, setKeepAlive, setRequestLimit } from "@/lib/server/http-guard/http-guard";
import { extendConnectionAttempts } from "@/lib/server/http/http-client";
import { createRequestLimit } from "@/lib/server/http/rate-limits";
import { lookupTimeoutMs } from "@/lib/server/post-lookup/post-lookup";
import { describeError, dropLostOutput, log } from "@/lib/server/log/log";
import { setMeter } from "@/lib/server/metrics/meter";
import { checkConnection } from "@/lib/server/redis/connect";

/** Maximum shutdown time in milliseconds. `start` adds the time limit of a lookup, or of a delivery if it is longer. */
const shutdownMs = 1_800;

/** Checks the configuration and Redis, and starts the services. If a check fails, prints problems and exits. */
export async function start(): Promise<void> {
  dropLostOutput();
  extendConnectionAttempts();
  const result = readEnv();
  if (!result.ok) return refuseToStart(result.problems);
  const { redis, metricsToken, isServerless } = result.env;
  // Without our own HTTP server, clients could forge the header that contains the socket's address.
  if (!isServerless && !hasHttpServer()) {
    return refuseToStart([
      "next start: use npm start or node server.js, which check requests and set time limits",
    ]);
  }
  setRequestLimit(createRequestLimit(result.env));
  // Must run before the first Redis request, so that the meter counts all Redis requests.
  if (metricsToken)
    setMeter((await import("@/lib/server/metrics/prometheus-meter")).createPrometheusMeter(result.env));
  const connectionProblem = redis.kind === "tcp" ? await checkConnection(redis) : null;
  if (connectionProblem !== null) return refuseToStart([connectionProblem]);
  for (const warning of result.warnings) log.error("configuration", { warning });
  const { reconcileEverySeconds, keepAliveSeconds, delivery } = getEnv();
  setKeepAlive(keepAliveSeconds);
  const maintenanceTimer = startMaintenanceTimer(reconcileEverySeconds);
  const serviceMs = Math.max(lookupTimeoutMs, delivery.kind === "webhook" ? delivery.timeoutMs : 0);
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.once(signal, () => {
      clearInterval(maintenanceTimer);
      // Normally, server.ts exits the process earlier, when all connections are closed.
      setTimeout(() => process.exit(128 + constants.signals[signal]), serviceMs + shutdownMs).unref();
    });
  }
}

/** Prints the problems and exits. After a thrown error, Next.js would respond 500 to every request. */
function refuseToStart(problems: readonly string[]): never {
  process.stderr.write(
    `\nThe server cannot start. Please correct the configuration (.env.example explains every name):\n` +
      `${problems.map((problem) => `  - ${problem}`).join("\n")}\n\n`,
  );
  process.exit(1);
}

/** Starts the maintenance timer, unless `everySeconds` is 0. Several processes may run such a timer. */
function startMaintenanceTimer(everySeconds: number): NodeJS.Timeout | undefined {
  if (everySeconds === 0) return undefined;
  let running = false;
  return setInterval(async () => {
    if (running) return;
    running = true;
    try {
      // Loads the delivery and mail code at the first run. An earlier import would delay the server start.
      const { runMaintenance } = await import("./maintenance");
      const report = await runMaintenance();
      if (Object.values(report).some((count) => count > 0)) log.info("upkeep", { ...report });
    } catch (error) {
      log.warn("upkeep failed", describeError(error));
    } finally {
      running = false;
    }
  }, everySeconds * 1_000).unref();
}
