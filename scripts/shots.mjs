/*
 * npm run shots: installs and builds what is missing, then takes a picture of every screen and state, into shots/; see
 * e2e/take-shots.ts. npm run shots -- home contact takes those whose names begin so.
 */
import { join } from "node:path";
import { ensureBuild } from "./lib/build.mjs";
import { ensureTools } from "./lib/install.mjs";
import { main, root, run } from "./lib/run.mjs";

await main(shots, { interruptedStatus: 130 });

async function shots() {
  await ensureTools("redis", "browser");
  // Of the developer's own settings none: the pictures are of the product as it comes.
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: "1", __NEXT_PROCESSED_ENV: "true" };
  await ensureBuild({}, env);
  const wanted = process.argv.slice(2);
  // The dialog about cookies is there in a build with something to ask about.
  if (wanted.length === 0 || wanted.some((name) => name.startsWith("cookies"))) {
    const variants = join(root, "scripts", "build-variants.mjs");
    const status = await run(process.execPath, [variants, "widened"], { env });
    if (status !== 0) return status;
  }
  const program = join(root, "e2e", "take-shots.ts");
  return run(process.execPath, ["--conditions=react-server", "--import", "tsx", program, ...wanted], { env });
}
