/*
 * npm run test:e2e: the end-to-end tests on the production build. Further arguments go to Playwright Test:
 * npm run test:e2e -- e2e/flow/like -g "cooldown"
 *
 * With E2E_STANDALONE=1, the tests run a new copy of the standalone output in an empty folder, as a deployment does.
 */
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deliveryServiceFolder, ensurePackages } from "./lib/install.mjs";
import { main, root, run, UserError } from "./lib/processes.mjs";

let folder;

await main(
  async () => {
    const env = {
      ...process.env,
      // With the condition "react-server", the package server-only is empty. Next.js sets this condition, too.
      NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ""} --conditions=react-server`,
      // No authority has signed the certificates of the test servers.
      NODE_TLS_REJECT_UNAUTHORIZED: "0",
    };
    if (process.env.E2E_STANDALONE) env.E2E_STANDALONE_FOLDER = await makeStandalone();
    if (!existsSync(join(root, ".next", "BUILD_ID"))) {
      throw new UserError("There is no production build to test: run npm run build first.");
    }
    await ensurePackages(deliveryServiceFolder);
    const playwright = join(root, "node_modules", "@playwright", "test", "cli.js");
    return run(process.execPath, [playwright, "test", ...process.argv.slice(2)], { env });
  },
  { cleanUp: () => folder && rmSync(folder, { recursive: true, force: true }), interruptedStatus: 130 },
);

/** Returns a folder outside the checkout, so that Node finds no packages in parent folders. */
async function makeStandalone() {
  if ((await run(process.execPath, [join(root, "scripts", "build-variants.mjs"), "plain"])) !== 0)
    throw new UserError("The standalone output could not be built.");
  folder = mkdtempSync(join(tmpdir(), "standalone-"));
  cpSync(join(root, ".data", "builds", "plain"), folder, { recursive: true });
  return folder;
}
