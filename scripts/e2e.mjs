/*
 * npm run test:e2e: the end-to-end tests on the production build. Further arguments go to Playwright Test:
 * npm run test:e2e -- e2e/flow/like -g "cooldown"
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { deliveryServiceFolder, ensurePackages } from "./lib/install.mjs";
import { main, root, run, UserError } from "./lib/processes.mjs";

await main(
  async () => {
    const env = {
      ...process.env,
      // With the condition "react-server", the package server-only is empty. Next.js sets this condition, too.
      NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ""} --conditions=react-server`,
      // No authority has signed the certificates of the test servers.
      NODE_TLS_REJECT_UNAUTHORIZED: "0",
    };
    if (!existsSync(join(root, ".next", "BUILD_ID"))) {
      throw new UserError("There is no production build to test: run npm run build first.");
    }
    await ensurePackages(deliveryServiceFolder);
    const playwright = join(root, "node_modules", "@playwright", "test", "cli.js");
    return run(process.execPath, [playwright, "test", ...process.argv.slice(2)], { env });
  },
  { interruptedStatus: 130 },
);
