/*
 * Makes the builds that the end-to-end tests run besides the default one, or those whose names follow:
 * node scripts/build-variants.mjs live. The default build is put aside meanwhile, because all are made in .next.
 */
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { tsImport } from "tsx/esm/api";
import { main, Refusal, root, run, say } from "./lib/run.mjs";

const { builds, buildsOnDemand, buildsFolder } = await tsImport("../e2e/support/builds.ts", import.meta.url);
const folder = join(root, buildsFolder);
const made = join(root, ".next");
const aside = join(folder, "default");

await main(buildVariants, { interruptedStatus: 130 });

async function buildVariants() {
  const wanted = process.argv.slice(2);
  rmSync(aside, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const hadDefault = existsSync(made);
  if (hadDefault) renameSync(made, aside);
  try {
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
      if ((await run("npm", ["run", "build"], { env })) !== 0)
        throw new Refusal(`The build "${name}" failed.`);
      renameSync(join(made, "standalone"), join(folder, name));
    }
  } finally {
    rmSync(made, { recursive: true, force: true });
    if (hadDefault) renameSync(aside, made);
  }
  return 0;
}
