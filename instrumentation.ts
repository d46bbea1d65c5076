import type { Instrumentation } from "next";

/** Starts the server process (lib/server/boot/start.ts). Next.js calls this function once per process. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { start } = await import("@/lib/server/boot/start");
  await start();
  if (process.env.NODE_ENV !== "production") return;
  const { redirectConsole } = await import("@/lib/server/log/log");
  redirectConsole();
}

/** Logs an error that a page or the middleware throws. API routes catch and log their errors themselves. */
export const onRequestError: Instrumentation.onRequestError = async (error, { method }, { routePath }) => {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { describeError, log } = await import("@/lib/server/log/log");
  log.error("page failed", { method, route: routePath, ...describeError(error) });
};
