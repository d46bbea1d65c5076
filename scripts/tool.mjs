/*
 * npm run ledger, bench and the like: makes ready what a program of the table needs, and runs it with all further
 * arguments, as in node scripts/tool.mjs ledger budget. The operator's tools take --env FILE: the settings of a machine.
 */
import { join } from "node:path";
import { ensureBuild } from "./lib/build.mjs";
import { loadConfiguration } from "./lib/configuration.mjs";
import { deliveryServiceFolder, ensurePackages, ensureTools } from "./lib/install.mjs";
import { ensureRedis, releaseRedis } from "./lib/redis.mjs";
import { main, Refusal, root, run } from "./lib/run.mjs";
import { localSecrets } from "./lib/secrets.mjs";
import { readSettingsFile } from "./lib/settings-file.mjs";

/** The operator's tools run with the site's configuration; a doctor looks for what is missing, so nothing is added. */
const operators = {
  doctor: { program: "scripts/doctor.ts", configuration: loaded },
  ledger: { program: "scripts/ledger.ts", configuration: completed },
  inbox: { program: "scripts/inbox.ts", configuration: completed },
  "not-found": { program: "scripts/not-found.ts", configuration: completed },
  "check-receiver": { program: "scripts/check-receiver.ts", configuration: loaded },
};

/** The developer's run on servers of their own, of the default build where they need one, and on variants of it. */
const developers = {
  bench: {
    program: "bench/run.ts",
    tools: ["redis-benchmark", "browser", "caddy", "nginx", "h2load"],
    build: true,
    variant: () => "deployed",
  },
  chaos: { program: "e2e/faults/run.ts", tools: ["redis"], build: true, longestMs: 10 * 60_000 },
  "chaos service": {
    program: "e2e/faults/run-service-kills.ts",
    tools: ["redis"],
    build: true,
    deliveryService: true,
  },
  lighthouse: {
    program: "bench/lighthouse.ts",
    tools: ["redis", "browser", "caddy"],
    build: true,
    variant: () => "deployed",
  },
  shots: {
    program: "e2e/visual/take-shots.ts",
    tools: ["redis", "browser"],
    build: true,
    variant: variantOfShots,
  },
  "shots --engines": {
    program: "e2e/visual/take-engine-shots.ts",
    tools: ["redis", "browser", "firefox", "webkit-driver", "minibrowser", "xvfb"],
    build: true,
  },
  simulate: { program: "bench/simulate.ts", tools: ["redis"] },
  throttled: {
    program: "bench/throttled.ts",
    tools: ["redis", "browser", "caddy"],
    build: true,
    variant: () => "deployed",
  },
};

const all = { ...operators, ...developers };
const startedAt = Date.now();
const { name, args } = askedFor(process.argv.slice(2));

await main(runTool, { cleanUp: releaseRedis, interruptedStatus: name in operators ? 0 : 130 });

async function runTool() {
  if (!Object.hasOwn(all, name)) throw new Refusal(`Known tools: ${Object.keys(all).join(", ")}.`);
  const { program, configuration = developersOwn, tools = [], build, variant, longestMs } = all[name];
  await ensureTools(...tools);
  if (all[name].deliveryService) await ensurePackages(deliveryServiceFolder);
  const env = await configuration();
  if (build) await ensureBuild({}, env);
  const needed = variant?.();
  if (needed) {
    const status = await run(process.execPath, ["scripts/build-variants.mjs", needed], { env });
    if (status !== 0) return status;
  }
  return run(
    process.execPath,
    ["--conditions=react-server", "--import", "tsx", join(root, program), ...args],
    {
      env,
      // An operator's tool asks before it changes something.
      stdin: name in operators ? "inherit" : "ignore",
      timeoutMs: longestMs && longestMs - (Date.now() - startedAt),
    },
  );
}

/** A program, or one that another word names: `chaos service`. */
function askedFor([first, second, ...rest]) {
  if (Object.hasOwn(all, `${first} ${second}`)) return { name: `${first} ${second}`, args: rest };
  return { name: first, args: second === undefined ? [] : [second, ...rest] };
}

/** Nothing from .env files: what is looked at and measured is the product as it comes. */
function developersOwn() {
  return { ...process.env, __NEXT_PROCESSED_ENV: "true" };
}

/** What the site is configured with: a file such as /etc/boost50.env, or the .env files of the checkout. */
async function loaded() {
  const option = args.indexOf("--env");
  if (option < 0) return loadConfiguration({ dev: false });
  const [, file] = args.splice(option, 2);
  if (!file) throw new Refusal("--env needs a file.");
  return { ...process.env, ...readSettingsFile(file) };
}

/** Without a configured Redis it is the local one of quickstart, started for the time being when it is not running. */
async function completed() {
  const configuration = await loaded();
  const redis = await ensureRedis(configuration);
  return { ...configuration, ...redis.env, ...localSecrets(configuration) };
}

/** The dialog about cookies is there in a build with something to ask about. */
function variantOfShots() {
  return args.length === 0 || args.some((screen) => screen.startsWith("cookies")) ? "widened" : undefined;
}
