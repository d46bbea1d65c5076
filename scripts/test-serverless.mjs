/*
 * npm run test:serverless: builds the product with the tool of the serverless host, for production and as a preview, and runs
 * these end-to-end tests on an emulated host (e2e/serverless), over https and Upstash's REST API.
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
    // Some tests also need the default build.
    if (!existsSync(join(root, ".next", "BUILD_ID")) && (await run("npm", ["run", "build"])) !== 0) {
      throw new UserError("The build failed: its output is above.");
    }
    const env = { ...process.env, E2E_SERVERLESS: "yes" };
    // A serverless host always has a secret for the cron route, no HTTP server of ours, and no Redis with a file.
    const others = [
      "has no /api/cron/reconcile without its token",
      "limits all requests of an address",
      "rewrites the file of Redis",
    ];
    const options = ["--grep-invert", others.join("|")];
    return run(process.execPath, ["scripts/e2e.mjs", ...options, ...files], { env });
  },
  { interruptedStatus: 130 },
);
