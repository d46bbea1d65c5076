/*
 * npm run test:e2e: the end-to-end tests on the production build. Further arguments go to Jest:
 * npm run test:e2e -- e2e/flow.test.ts -t "cooldown"
 *
 * With E2E_STANDALONE=1 the servers run what a deployment gets instead: the standalone output, made anew and copied into
 * an empty folder, with Node and nothing else.
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { deliveryServiceFolder, ensurePackages } from "./lib/install.mjs";
import { main, Refusal, root, run } from "./lib/run.mjs";

let folder;

await main(
  async () => {
    // The web servers of the tests have certificates of nobody's authority.
    const env = { ...process.env, NODE_TLS_REJECT_UNAUTHORIZED: "0" };
    if (process.env.E2E_STANDALONE) env.E2E_STANDALONE_FOLDER = await makeStandalone();
    if (!existsSync(join(root, ".next", "BUILD_ID"))) {
      throw new Refusal("There is no production build to test: run npm run build first.");
    }
    await ensurePackages(deliveryServiceFolder);
    const results = process.env.E2E_RESULTS ?? join(root, ".data", "verify", "e2e.json");
    mkdirSync(dirname(results), { recursive: true });
    const jest = join(root, "node_modules", "jest", "bin", "jest.js");
    const args = ["--config", "jest.e2e.config.ts", "--maxWorkers=3", "--json", `--outputFile=${results}`];
    return run(process.execPath, [jest, ...args, ...process.argv.slice(2)], { env });
  },
  { cleanUp: () => folder && rmSync(folder, { recursive: true, force: true }), interruptedStatus: 130 },
);

/** Returns the folder, which lies outside the project: what the output misses cannot be found further up. */
async function makeStandalone() {
  if ((await run(process.execPath, [join(root, "scripts", "build-variants.mjs"), "plain"])) !== 0)
    throw new Refusal("The standalone output could not be built.");
  folder = mkdtempSync(join(tmpdir(), "standalone-"));
  cpSync(join(root, ".data", "builds", "plain"), folder, { recursive: true });
  return folder;
}
