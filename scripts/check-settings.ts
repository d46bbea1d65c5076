/*
 * The first step of a build. Fails if this Node or a .env file is not supported, and on a serverless host also if the functions
 * could not start with the settings.
 */
import { loadEnvConfig } from "@next/env";
import { detectServerlessHost } from "@/lib/config/deployment";
import { definedVariables } from "@/lib/config/variable-schemas";
import { parseEnv } from "@/lib/server/config/env";
import { requireNode } from "./lib/install.mjs";
import { printError } from "./lib/processes.mjs";
import { refuseExpansions } from "./lib/settings-file.mjs";

try {
  requireNode();
  refuseExpansions(loadEnvConfig(process.cwd()).loadedEnvFiles);
} catch (error) {
  printError(error);
  process.exitCode = 1;
}

const result = detectServerlessHost(definedVariables(process.env)) ? parseEnv(process.env) : undefined;
if (result?.ok === false) {
  process.stderr.write(
    `\nThe site could not start with these settings. Please correct them in the project's environment variables ` +
      `(docs/deploy-serverless.md says which are needed):\n${result.problems.map((problem) => `  - ${problem}\n`).join("")}\n`,
  );
  process.exitCode = 1;
}
