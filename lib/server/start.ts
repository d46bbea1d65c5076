import "server-only";
import { getDelivery } from "./delivery";
import { getEnv, readEnv } from "./env";
import { getLedger } from "./likes";
import { reconcile } from "./likes/reconcile";
import { log } from "./log";
import { installSocketAddressHook } from "./socket-address";

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
  installSocketAddressHook();
  startReconcileTimer(getEnv().reconcileEverySeconds);
}

/** Finishes pending orders every now and then, one run at a time; several processes take turns by lease. */
function startReconcileTimer(everySeconds: number): void {
  if (everySeconds === 0) return;
  let running = false;
  setInterval(async () => {
    if (running) return;
    running = true;
    try {
      const report = await reconcile(getLedger(), getDelivery());
      if (report.tried > 0 || report.abandoned > 0) log.info("reconcile", { ...report });
    } catch {
      log.warn("reconcile failed", { cause: "Redis does not answer" });
    } finally {
      running = false;
    }
  }, everySeconds * 1_000).unref();
}
