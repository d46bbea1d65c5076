/*
 * npm run lighthouse: installs and builds what is missing, then lets Lighthouse judge every page for search engines; see
 * bench/lighthouse.ts. npm run lighthouse -- /faq /contact --runs 1 judges these pages, once each.
 */
import { join } from "node:path";
import { ensureBuild } from "./lib/build.mjs";
import { ensureTools } from "./lib/install.mjs";
import { main, root, run } from "./lib/run.mjs";

await main(lighthouse, { interruptedStatus: 130 });

async function lighthouse() {
  await ensureTools("redis", "browser");
  // Of the developer's own settings none: the figures are those of the default build.
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: "1", __NEXT_PROCESSED_ENV: "true" };
  await ensureBuild({}, env);
  const program = join(root, "bench", "lighthouse.ts");
  const args = ["--conditions=react-server", "--import", "tsx", program, ...process.argv.slice(2)];
  return run(process.execPath, args, { env });
}
