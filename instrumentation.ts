import type { Instrumentation } from "next";

/** Next calls this once when a server process starts, before it answers requests. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { start } = await import("./lib/server/ops/start");
  await start({ development: process.env.NODE_ENV === "development" });
  if (process.env.NODE_ENV !== "production") return;
  const { redirectConsole } = await import("./lib/server/ops/redirect-console");
  redirectConsole();
}

/** Next calls this for what a page or the middleware throws; the API's handlers catch everything themselves. */
export const onRequestError: Instrumentation.onRequestError = async (error, { method }, { routePath }) => {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { describeError, log } = await import("./lib/server/ops/log");
  log.error("page failed", { method, route: routePath, ...describeError(error) });
};
