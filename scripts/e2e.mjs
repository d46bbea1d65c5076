/*
 * npm run test:e2e: the end-to-end tests on the production build. Further arguments go to Jest:
 * npm run test:e2e -- e2e/flow.test.ts -t "cooldown"
 */
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { main, Refusal, root, run } from "./lib/run.mjs";

await main(
  async () => {
    if (!existsSync(join(root, ".next", "BUILD_ID"))) {
      throw new Refusal("There is no production build to test: run npm run build first.");
    }
    const results = join(root, ".data", "verify", "e2e.json");
    mkdirSync(join(root, ".data", "verify"), { recursive: true });
    const jest = join(root, "node_modules", "jest", "bin", "jest.js");
    const args = ["--config", "jest.e2e.config.ts", "--runInBand", "--json", `--outputFile=${results}`];
    return run(process.execPath, [jest, ...args, ...process.argv.slice(2)]);
  },
  { interruptedStatus: 130 },
);
