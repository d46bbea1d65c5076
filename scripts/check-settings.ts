/* The first step of a build on a serverless host. Fails the build if the functions could not start with the settings. */
import { detectServerlessHost } from "@/lib/config/deployment";
import { definedVariables } from "@/lib/config/variable-schemas";
import { parseEnv } from "@/lib/server/config/env";

const result = detectServerlessHost(definedVariables(process.env)) ? parseEnv(process.env) : undefined;
if (result?.ok === false) {
  process.stderr.write(
    `\nThe site could not start with these settings. Please correct them in the project's environment variables ` +
      `(docs/deploy-serverless.md says which are needed):\n${result.problems.map((problem) => `  - ${problem}\n`).join("")}\n`,
  );
  process.exitCode = 1;
}
