/*
 * Runs one of the operator's tools (scripts/<name>.ts) with the site's configuration: npm run inbox, npm run ledger.
 * Without a configured Redis it is the local one of quickstart, started for the time being when it is not running. The
 * doctor gets the configuration as it is: what is missing is what it looks for.
 */
import { join } from "node:path";
import { loadConfiguration } from "./lib/configuration.mjs";
import { ensurePackages, requireNode } from "./lib/install.mjs";
import { ensureRedis, releaseRedis } from "./lib/redis.mjs";
import { main, root, run } from "./lib/run.mjs";
import { localSecrets } from "./lib/secrets.mjs";

const [name, ...args] = process.argv.slice(2);

await main(runTool, { cleanUp: releaseRedis });

async function runTool() {
  requireNode();
  await ensurePackages();
  const loaded = await loadConfiguration({ dev: false });
  const env = name === "doctor" ? loaded : await completed(loaded);
  const tool = join(root, "scripts", `${name}.ts`);
  return run(process.execPath, ["--conditions=react-server", "--import", "tsx", tool, ...args], {
    env,
    // A tool asks before it changes something.
    stdin: "inherit",
  });
}

async function completed(loaded) {
  const redis = await ensureRedis(loaded);
  return { ...loaded, ...redis.env, ...localSecrets(loaded) };
}
