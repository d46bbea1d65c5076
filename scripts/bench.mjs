/*
 * npm run bench: installs and builds what is missing, then measures; see bench/run.ts. PRICE_PER_100K_COMMANDS is what a
 * host of Redis asks for that many commands, in dollars.
 */
import { join } from "node:path";
import { ensureBuild } from "./lib/build.mjs";
import { ensureTools } from "./lib/install.mjs";
import { main, root, run } from "./lib/run.mjs";

await main(bench);

async function bench() {
  await ensureTools("redis-benchmark", "browser");
  // The default build, and the same as a standalone output: of the developer's own settings none.
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: "1", __NEXT_PROCESSED_ENV: "true" };
  await ensureBuild({}, env);
  const variant = await run(process.execPath, [join(root, "scripts", "build-variants.mjs"), "plain"], {
    env,
  });
  if (variant !== 0) return variant;
  const program = join(root, "bench", "run.ts");
  return run(process.execPath, ["--conditions=react-server", "--import", "tsx", program], { env });
}
