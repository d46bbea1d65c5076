import { root } from "./processes.mjs";

/**
 * Returns the environment that Next.js would use: the variables of this process and of .env files. Needs the npm packages.
 */
export async function loadConfiguration({ dev }) {
  const before = { ...process.env };
  const { default: loader } = await import("@next/env");
  // With this variable, Next.js would ignore .env files.
  delete process.env.__NEXT_PROCESSED_ENV;
  process.env.NODE_ENV = dev ? "development" : "production";
  const quiet = { info: () => undefined, error: (...values) => console.error(...values) };
  const { combinedEnv } = loader.loadEnvConfig(root, dev, quiet);
  const configuration = { ...combinedEnv };
  restore(before);
  return configuration;
}

/** Restores process.env, which the loader has changed, because child processes load the files themselves. */
function restore(before) {
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
}
