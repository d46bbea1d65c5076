import "server-only";
import { constants } from "node:os";
import { startShutdown } from "@/lib/server/http-guard/connection-limits";
import { installHttpGuard } from "@/lib/server/http-guard/http-guard";
import { getEnv, readEnv } from "@/lib/server/config/env";
import { describeError, log } from "./log";
import { setMeter } from "./meter";
import { checkConnection } from "@/lib/server/redis/connection-check";

/** What the process takes to leave, beside what it waits for a delivery service. */
const leavingMs = 1_800;

/**
 * Runs once when a server process starts: refuses a wrong configuration with the whole list, and one that Redis refuses;
 * stands at the door, starts what runs beside requests, and sees to it that the process leaves in time.
 */
export async function start({ development }: { development: boolean }): Promise<void> {
  const result = readEnv();
  if (!result.ok) return refuseToStart(result.problems);
  // Before anything is waited for: requests come as soon as the framework listens.
  installHttpGuard({ development });
  const { redis, metricsToken } = result.env;
  // Loaded where it is wanted alone; before the first question to Redis, so that all of them are counted.
  if (metricsToken) setMeter((await import("./prometheus-meter")).createPrometheusMeter(result.env));
  const refusal = redis.kind === "tcp" ? await checkConnection(redis) : null;
  if (refusal !== null) return refuseToStart([refusal]);
  for (const warning of result.warnings) log.error("configuration", { warning });
  const { reconcileEverySeconds, delivery } = getEnv();
  const upkeep = startUpkeepTimer(reconcileEverySeconds);
  const deliveryMs = delivery.kind === "webhook" ? delivery.timeoutMs : 0;
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.once(signal, () => {
      clearInterval(upkeep);
      leaveWithin(deliveryMs + leavingMs, signal);
    });
  }
}

/** A throw would leave the server alive, answering 500. */
function refuseToStart(problems: readonly string[]): never {
  process.stderr.write(
    `\nThe server cannot start. Please correct the configuration (.env.example explains every name):\n` +
      `${problems.map((problem) => `  - ${problem}`).join("\n")}\n\n`,
  );
  process.exit(1);
}

/**
 * The framework's own listener closes the server, and ends the process when nothing is open any more: here everything
 * comes to that end. What is still at work at the deadline is finished by another process, as after a crash.
 */
function leaveWithin(ms: number, signal: "SIGTERM" | "SIGINT"): void {
  startShutdown();
  setTimeout(() => process.exit(128 + constants.signals[signal]), ms).unref();
}

/** One run at a time; several processes take turns by lease. */
function startUpkeepTimer(everySeconds: number): NodeJS.Timeout | undefined {
  if (everySeconds === 0) return undefined;
  let running = false;
  return setInterval(async () => {
    if (running) return;
    running = true;
    try {
      // Loaded with its first run: a server answers sooner by what delivery and mail take to load.
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
