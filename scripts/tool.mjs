/*
 * npm run doctor, ledger and other tools for operators (cli/): runs the tool with its arguments and the settings of the site,
 * for example node scripts/tool.mjs ledger budget. The settings are the environment and .env files, or a file with --env FILE.
 * With --demo, tools use the Redis and the secrets of `npm run quickstart`. Without --env, the doctor uses all settings of a
 * running quickstart.
 */
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleTools } from "./lib/bundle-programs.mjs";
import { ensurePackages, requireNode } from "./lib/install.mjs";
import { forgetSettings, localSettings, runningSettings } from "./lib/local-site.mjs";
import { main, root, run, UserError } from "./lib/processes.mjs";
import { loadConfiguration, readSettingsFile } from "./lib/settings-file.mjs";

const [name, ...args] = process.argv.slice(2);
/** In the image "tools", each program is bundled, and most npm packages are missing. */
const bundle = join(root, "scripts", `${name}.cjs`);
const isBundled = existsSync(bundle);

await main(runTool, { cleanUp: forgetSettings, interruptedStatus: 0 });

async function runTool() {
  if (!isBundled) {
    requireNode();
    await ensurePackages();
  }
  const demo = takeOption("--demo", false);
  const file = takeOption("--env", true);
  if (file === "") throw new UserError("--env needs a file.");
  // The bundled programs read secrets from files themselves.
  const settings = isBundled
    ? { ...process.env, ...(file && readSettingsFile(file)) }
    : await loadConfiguration({ file });
  const env = {
    ...settings,
    ...(demo && (await localSettings(settings))),
    ...(name === "doctor" && !file && runningSettings()),
  };
  if (name !== "check-receiver" && !args.includes("--help")) describeSite(env);
  const program = isBundled ? bundle : await bundleTool();
  // Some tools request a confirmation before a change.
  return run(process.execPath, [program, ...args], { env, stdio: "inherit" });
}

/** Returns the tool of the build if no source is newer. Else bundles it, because tsx can wait forever (docs/dependencies.md). */
async function bundleTool() {
  const built = join(root, ".next", "tools", `${name}.cjs`);
  const sources = ["cli", "lib"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true }).map((file) => join(root, folder, file)),
  );
  const modified = (file) => statSync(file).mtimeMs;
  if (existsSync(built) && sources.every((file) => modified(file) <= modified(built))) return built;
  const temporary = mkdtempSync(join(tmpdir(), "tool-"));
  process.on("exit", () => rmSync(temporary, { recursive: true }));
  await bundleTools(temporary, [name]);
  return join(temporary, `${name}.cjs`);
}

/** Prints the site and its Redis without the password. Throws if a tool has no Redis to work on. */
function describeSite({ SITE_URL, REDIS_URL, UPSTASH_REDIS_REST_URL }) {
  const redis = REDIS_URL || UPSTASH_REDIS_REST_URL;
  if (!redis && name !== "doctor" && !isBundled) {
    throw new UserError(
      `There is no Redis in the settings, so npm run ${name} has no site to work on. Add one of these:\n` +
        "  --env FILE   the settings of the site, for example /etc/boost50.env\n" +
        "  --demo       the Redis of npm run quickstart",
    );
  }
  const host = redis && URL.canParse(redis) ? new URL(redis).host : "with an invalid address";
  // Standard output has only the result, for example a CSV file.
  console.error(
    `Site ${SITE_URL || "http://localhost:3000"}, ${redis ? `Redis ${host}` : "no Redis in the settings"}`,
  );
}

/** Removes an option from `args`. Returns its value, or whether the option is there if it has no value. */
function takeOption(option, hasValue) {
  const index = args.indexOf(option);
  if (index < 0) return undefined;
  const [, value] = args.splice(index, hasValue ? 2 : 1);
  return hasValue ? (value ?? "") : true;
}
