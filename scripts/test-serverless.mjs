/*
 * npm run test:serverless: builds the product as the serverless host does, for production and as a preview, and runs the
 * end-to-end tests that make sense there on a host for tests, over https and Upstash's protocol.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ensureTools } from "./lib/install.mjs";
import { main, root, run, UserError } from "./lib/processes.mjs";

const files = [
  "hosting/serverless",
  "serverless/preview",
  "flow/flow.browser",
  "flow/idempotency.browser",
  "pages/pages",
  "forms/forms",
  "forms/forms.browser",
  "flow/like",
  "flow/lookups",
  "security/http-contract",
].map((name) => `e2e/${name}.test.ts`);

await main(
  async () => {
    await ensureTools("redis", "browser", "openssl");
    for (const name of ["production", "preview"]) {
      const status = await run(process.execPath, ["scripts/build-serverless.mjs", name]);
      if (status !== 0) return status;
    }
    // Some of these tests look at the default build as well.
    if (!existsSync(join(root, ".next", "BUILD_ID")) && (await run("npm", ["run", "build"])) !== 0) {
      throw new UserError("The build failed: its output is above.");
    }
    const env = { ...process.env, E2E_SERVERLESS: "yes" };
    // On such a host the cron route always has its secret.
    const but = ["--testNamePattern", "^(?!.*has no /api/cron/reconcile without its token)"];
    return run(process.execPath, ["scripts/e2e.mjs", ...but, "--runTestsByPath", ...files], { env });
  },
  { interruptedStatus: 130 },
);
