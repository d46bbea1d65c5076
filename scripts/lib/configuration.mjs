import { root } from "./processes.mjs";

/**
 * The environment as Next.js will see it: the real one, completed from .env files by the framework's own loader.
 * Needs the installed packages.
 */
export async function loadConfiguration({ dev }) {
  const before = { ...process.env };
  const { default: loader } = await import("@next/env");
  // Left-overs of an outer Next.js or test run would change which files count.
  delete process.env.__NEXT_PROCESSED_ENV;
  process.env.NODE_ENV = dev ? "development" : "production";
  const quiet = { info: () => undefined, error: (...values) => console.error(...values) };
  const { combinedEnv } = loader.loadEnvConfig(root, dev, quiet);
  const configuration = { ...combinedEnv };
  restore(before);
  return configuration;
}

/** The loader writes into process.env; children get it as it was and load the files themselves. */
function restore(before) {
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
}
