import { readFileSync } from "node:fs";
import { root, UserError } from "./processes.mjs";
import { readSettingsFile, refuseExpansions } from "./settings-file.mjs";

/**
 * Returns the variables of this process and of a settings file, by default of the .env files that Next.js reads. Contains
 * secrets from files and other names under the name of the setting. Needs the npm packages.
 *
 * @param {{ dev?: boolean, file?: string }} options
 * @returns {Promise<Record<string, string | undefined>>}
 */
export async function loadConfiguration({ dev = false, file }) {
  const source = file ? { ...process.env, ...readSettingsFile(file) } : await loadEnvFiles(dev);
  const { require } = await import("tsx/cjs/api");
  const { readVariables } = require("../../lib/config/read-variables.ts", import.meta.url);
  const { variables, problems } = readVariables(source, (path) => readFileSync(path, "utf8"));
  if (problems.length > 0) throw new UserError(problems.join("\n"));
  return variables;
}

async function loadEnvFiles(dev) {
  const before = { ...process.env };
  const { default: loader } = await import("@next/env");
  // With this variable, Next.js would ignore .env files.
  delete process.env.__NEXT_PROCESSED_ENV;
  process.env.NODE_ENV = dev ? "development" : "production";
  const quiet = { info: () => undefined, error: (...values) => console.error(...values) };
  const { combinedEnv, loadedEnvFiles } = loader.loadEnvConfig(root, dev, quiet);
  refuseExpansions(loadedEnvFiles);
  const configuration = { ...combinedEnv };
  restore(before);
  return configuration;
}

/** Restores process.env, which the loader has changed, because child processes load the files themselves. */
function restore(before) {
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
}
