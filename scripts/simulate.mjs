/*
 * npm run simulate: installs what is missing, then sends 100,000 virtual visitors through the ledger; see
 * bench/simulate.ts. npm run simulate -- 20000 sends so many.
 */
import { join } from "node:path";
import { ensureTools } from "./lib/install.mjs";
import { main, root, run } from "./lib/run.mjs";

await main(async () => {
  await ensureTools("redis");
  const program = join(root, "bench", "simulate.ts");
  return run(process.execPath, [
    "--conditions=react-server",
    "--import",
    "tsx",
    program,
    ...process.argv.slice(2),
  ]);
});
