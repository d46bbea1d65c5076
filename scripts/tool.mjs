/*
 * npm run ledger, npm run bench and others: prepares what a program of the tables needs, and runs it with the arguments,
 * for example node scripts/tool.mjs ledger budget.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ensureBuild } from "./lib/build.mjs";
import { loadConfiguration } from "./lib/configuration.mjs";
import { deliveryServiceFolder, ensurePackages, ensureTools } from "./lib/install.mjs";
import { main, root, run, UserError } from "./lib/processes.mjs";
import { ensureRedis } from "./lib/redis.mjs";
import { runningQuickstart } from "./lib/quickstart-settings.mjs";
import { localSecrets } from "./lib/secrets.mjs";
import { readSettingsFile } from "./lib/settings-file.mjs";

/**
 * Tools for operators. They use the settings of the site: the environment and .env files, or a file with --env FILE.
 * Tools with `needsRedis` refuse to run without a configured Redis. With --demo, they use the Redis and the secrets of
 * `npm run quickstart`. Without --env, tools with `findsQuickstart` use all settings of a running quickstart.
 */
const operatorTools = {
  doctor: { program: "cli/doctor.ts", findsQuickstart: true },
  ledger: { program: "cli/ledger.ts", needsRedis: true },
  inbox: { program: "cli/inbox.ts", needsRedis: true },
  "not-found": { program: "cli/not-found.ts", needsRedis: true },
  "check-receiver": { program: "cli/check-receiver.ts" },
};

/**
 * Tools for maintainers. They start their own servers, and use no settings. `tools` are names of lib/programs.mjs,
 * `variant` is a build of testing/servers/builds.ts.
 */
const maintainerTools = {
  bench: {
    program: "bench/run.ts",
    build: true,
    variant: "deployed",
    tools: ["redis", "browser", "caddy", "h2load"],
  },
  chaos: {
    program: "e2e/faults/run.ts",
    tools: ["redis"],
    build: true,
    deliveryService: true,
    longestMs: 10 * 60_000,
  },
  shots: {
    program: "e2e/visual/take-shots.ts",
    tools: ["redis", "browser"],
    build: true,
    // Only this variant shows the consent dialog.
    variant(args) {
      const screens = args.filter((arg) => !arg.startsWith("--"));
      return screens.length === 0 || screens.some((screen) => screen.startsWith("cookies"))
        ? "widened"
        : undefined;
    },
  },
  model: { program: "testing/ledger/run-model.ts", tools: ["redis"] },
  "test:docker": {
    program: "e2e/hosting/docker.ts",
    tools: ["dockerd", "docker-compose", "debootstrap", "slirp4netns", "ip", "pgrep"],
    longestMs: 20 * 60_000,
  },
};

const startedAt = Date.now();
const [name, ...args] = process.argv.slice(2);
const isOperatorTool = Object.hasOwn(operatorTools, name);
/** In the image "tools", each program is bundled, and most npm packages are missing. */
const bundle = join(root, "scripts", `${name}.cjs`);
const isBundled = existsSync(bundle);

await main(isOperatorTool ? runOperatorTool : runMaintainerTool, {
  interruptedStatus: isOperatorTool ? 0 : 130,
});

async function runOperatorTool() {
  const { program, needsRedis, findsQuickstart } = operatorTools[name];
  if (!isBundled) await ensureTools();
  const demo = takeOption("--demo", false);
  const file = takeOption("--env", true);
  if (file === "") throw new UserError("--env needs a file.");
  // The programs read secrets from files themselves.
  const settings = isBundled
    ? { ...process.env, ...(file && readSettingsFile(file)) }
    : await loadConfiguration({ file });
  const env = {
    ...settings,
    ...(demo && { ...(await ensureRedis(settings)).env, ...localSecrets(settings) }),
    ...(findsQuickstart && !file && runningQuickstart()),
  };
  const redis = env.REDIS_URL || env.UPSTASH_REDIS_REST_URL;
  const isHelp = args.includes("--help");
  if (needsRedis && !redis && !isHelp && !isBundled) {
    throw new UserError(
      `There is no Redis in the settings, so npm run ${name} has no site to work on. Add one of these:\n` +
        "  --env FILE   the settings of the site, for example /etc/boost50.env\n" +
        "  --demo       the Redis of npm run quickstart",
    );
  }
  // Standard output has only the result, for example a CSV file.
  if ((needsRedis || findsQuickstart) && !isHelp)
    console.error(`Site ${env.SITE_URL || "http://localhost:3000"}, ${describeRedis(redis)}`);
  // These tools request a confirmation before a change.
  return runProgram(program, { env, stdio: "inherit" });
}

/** Describes the Redis without its password. */
function describeRedis(address) {
  if (!address) return "no Redis in the settings";
  return `Redis ${URL.canParse(address) ? new URL(address).host : "with an invalid address"}`;
}

/** Removes an option from `args`. Returns its value, or whether the option is there if it has no value. */
function takeOption(option, hasValue) {
  const index = args.indexOf(option);
  if (index < 0) return undefined;
  const [, value] = args.splice(index, hasValue ? 2 : 1);
  return hasValue ? (value ?? "") : true;
}

async function runMaintainerTool() {
  const known = Object.keys({ ...operatorTools, ...maintainerTools });
  if (!Object.hasOwn(maintainerTools, name)) throw new UserError(`Known tools: ${known.join(", ")}.`);
  const { program, tools, build, variant, longestMs, deliveryService } = maintainerTools[name];
  await ensureTools(...tools);
  if (deliveryService) await ensurePackages(deliveryServiceFolder);
  // Next.js then ignores .env files.
  const env = { ...process.env, __NEXT_PROCESSED_ENV: "true" };
  if (build) await ensureBuild({}, env);
  const neededVariant = typeof variant === "function" ? variant(args) : variant;
  if (neededVariant) {
    const status = await run(process.execPath, ["scripts/build-variants.mjs", neededVariant], { env });
    if (status !== 0) return status;
  }
  return runProgram(program, { env, timeoutMs: longestMs && longestMs - (Date.now() - startedAt) });
}

function runProgram(program, options) {
  const node = ["--conditions=react-server", "--import", "tsx", join(root, program)];
  return run(process.execPath, [...(isBundled ? [bundle] : node), ...args], options);
}
