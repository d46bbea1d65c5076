import "server-only";
import { getEnv, readEnv } from "./env";
import { describeError, log } from "./log";
import { installRequestHook } from "./request-hook";
import { runUpkeep } from "./upkeep";

/**
 * Runs once when a server process starts: refuses a wrong configuration with the whole list, and starts what runs
 * beside requests.
 */
export function start(): void {
  const result = readEnv();
  if (!result.ok) {
    process.stderr.write(
      `\nThe server cannot start. Please correct the configuration (.env.example explains every name):\n` +
        `${result.problems.map((problem) => `  - ${problem}`).join("\n")}\n\n`,
    );
    // A throw would leave the server alive, answering 500.
    process.exit(1);
  }
  for (const warning of result.warnings) log.error("configuration", { warning });
  installRequestHook();
  startUpkeepTimer(getEnv().reconcileEverySeconds);
}

/** One run at a time; several processes take turns by lease. */
function startUpkeepTimer(everySeconds: number): void {
  if (everySeconds === 0) return;
  let running = false;
  setInterval(async () => {
    if (running) return;
    running = true;
    try {
      const report = await runUpkeep();
      if (Object.values(report).some((count) => count > 0)) log.info("upkeep", { ...report });
    } catch (error) {
      log.warn("upkeep failed", describeError(error));
    } finally {
      running = false;
    }
  }, everySeconds * 1_000).unref();
}
