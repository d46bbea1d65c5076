/*
 * npm run chaos: installs and builds what is missing, then breaks everything that can break, in ten minutes at most; see
 * e2e/faults/run.ts. npm run chaos -- --seed 42 repeats the order of the random kills.
 */
import { join } from "node:path";
import { ensureBuild } from "./lib/build.mjs";
import { ensureTools } from "./lib/install.mjs";
import { main, root, run } from "./lib/run.mjs";

const limitMs = 10 * 60_000;

await main(chaos, { interruptedStatus: 130 });

async function chaos() {
  const startedAt = Date.now();
  await ensureTools("redis");
  // Of the developer's own settings none: the servers get theirs from the scenarios.
  await ensureBuild({}, { ...process.env, __NEXT_PROCESSED_ENV: "true" });
  const program = join(root, "e2e", "faults", "run.ts");
  return run(
    process.execPath,
    ["--conditions=react-server", "--import", "tsx", program, ...process.argv.slice(2)],
    { timeoutMs: limitMs - (Date.now() - startedAt) },
  );
}
