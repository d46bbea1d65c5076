/* npm run bench: installs and builds what is missing, then measures; see bench/run.ts. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ensurePackages, findBinary, installFromDebian, requireNode } from "./lib/install.mjs";
import { main, root, run } from "./lib/run.mjs";

await main(bench);

async function bench() {
  requireNode();
  await ensurePackages();
  if (!findBinary(["redis-server", "valkey-server"])) await installFromDebian(["redis-server"]);
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: "1" };
  if (!existsSync(join(root, ".next", "BUILD_ID"))) {
    const status = await run("npm", ["run", "build"], { env });
    if (status !== 0) return status;
  }
  return run(
    process.execPath,
    ["--conditions=react-server", "--import", "tsx", join(root, "bench", "run.ts")],
    {
      env,
    },
  );
}
