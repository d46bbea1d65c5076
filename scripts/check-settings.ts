/*
 * The first step of a build on a serverless host, which has the settings of the running site at hand: what would keep
 * the functions from starting fails the build instead, with the whole list, before anything is deployed.
 */
import { detectServerlessHost } from "@/lib/config/deployment";
import { parseEnv } from "@/lib/server/config/env";
import { definedVariables } from "@/lib/config/variable-schemas";

const result = detectServerlessHost(definedVariables(process.env)) ? parseEnv(process.env) : undefined;
if (result?.ok === false) {
  process.stderr.write(
    `\nThe site could not start with these settings. Please correct them in the project's environment variables ` +
      `(docs/deploy-serverless.md says which are needed):\n${result.problems.map((problem) => `  - ${problem}\n`).join("")}\n`,
  );
  process.exitCode = 1;
}
