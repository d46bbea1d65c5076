/*
 * Makes the builds of builds.ts for the end-to-end tests, or only the named ones: node scripts/build-variants.mjs live.
 */
import { mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { require } from "tsx/cjs/api";
import { copyCheckout } from "./lib/build.mjs";
import { main, root, run, say, UserError } from "./lib/processes.mjs";

const { builds, buildsFolder } = require("../testing/servers/builds.ts", import.meta.url);
const folder = join(root, buildsFolder);

await main(buildVariants, { interruptedStatus: 130 });

async function buildVariants() {
  const wanted = process.argv.slice(2);
  mkdirSync(folder, { recursive: true });
  const checkout = await copyCheckout();
  for (const [name, settings] of Object.entries(builds)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    rmSync(join(folder, name), { recursive: true, force: true });
    say(`Building the variant "${name}" …`);
    // Next.js then ignores the .env files of the developer.
    const env = {
      ...process.env,
      __NEXT_PROCESSED_ENV: "true",
      BUILD_OUTPUT: "standalone",
      BUILD_TYPES: "checked",
      ...settings,
    };
    if ((await run("npm", ["run", "build"], { cwd: checkout, env })) !== 0)
      throw new UserError(`The build "${name}" failed.`);
    renameSync(join(checkout, ".next", "standalone"), join(folder, name));
  }
  return 0;
}
