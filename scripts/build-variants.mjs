/*
 * Makes the builds that the end-to-end tests run besides the default one, or those whose names follow:
 * node scripts/build-variants.mjs live. The default build is put aside meanwhile, because all are made in .next.
 */
import { mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { tsImport } from "tsx/esm/api";
import { withAside } from "./lib/aside.mjs";
import { main, Refusal, root, run, say } from "./lib/run.mjs";

const { builds, buildsOnDemand, buildsFolder } = await tsImport(
  "../e2e/support/servers/builds.ts",
  import.meta.url,
);
const folder = join(root, buildsFolder);

await main(() => withAside([".next"], buildVariants), { interruptedStatus: 130 });

async function buildVariants() {
  const wanted = process.argv.slice(2);
  mkdirSync(folder, { recursive: true });
  for (const [name, settings] of Object.entries({ ...builds, ...buildsOnDemand })) {
    if (wanted.length > 0 ? !wanted.includes(name) : name in buildsOnDemand) continue;
    rmSync(join(folder, name), { recursive: true, force: true });
    say(`Building the variant "${name}" …`);
    // Settings of the developer's own, in .env files, are not what is tested.
    const env = {
      ...process.env,
      __NEXT_PROCESSED_ENV: "true",
      BUILD_OUTPUT: "standalone",
      BUILD_TYPES: "checked",
      ...settings,
    };
    if ((await run("npm", ["run", "build"], { env })) !== 0) throw new Refusal(`The build "${name}" failed.`);
    renameSync(join(root, ".next", "standalone"), join(folder, name));
  }
  return 0;
}
