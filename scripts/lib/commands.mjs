import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ensurePackages, deliveryServiceFolder } from "./install.mjs";
import { freePort, untilHealthy } from "./ports.mjs";
import { root, run, start, stop } from "./processes.mjs";
import { startTrial } from "./trial.mjs";

/**
 * The scripts of package.json. `step` names the step of scripts/verify.mjs that runs the same program. The others run
 * with `args` in `npm run verify -- --all`. A command with `serves` starts the site. A command with `needsSite` runs
 * beside a site that `npm run quickstart` serves.
 */
export const commands = {
  quickstart: { serves: true },
  dev: { serves: true },
  build: { step: "build" },
  start: { step: "e2e" },
  lint: { step: "lint" },
  format: {},
  typecheck: { step: "types" },
  test: { step: "jest" },
  "test:e2e": { step: "e2e" },
  "test:serverless": {},
  verify: { step: "all steps" },
  release: { step: "e2e" },
  doctor: { needsSite: true },
  ledger: { needsSite: true, args: ["budget"] },
  inbox: { needsSite: true, args: ["list"] },
  "not-found": { needsSite: true },
  "check-receiver": { needsSite: true, args: ["--creates-orders"] },
  bench: {},
  simulate: { args: ["2000"] },
  lighthouse: {},
  throttled: {},
  shots: { args: ["home"] },
  chaos: {},
};

/** Runs a command of the table. Returns whether its exit status is 0, and whether the site that it needs has started. */
export async function runCommand(name, env) {
  const { serves, needsSite, args = [] } = commands[name];
  const npmArguments = (command) => ["run", command, ...(args.length > 0 ? ["--", ...args] : [])];
  if (!serves && !needsSite) return (await run("npm", npmArguments(name), { env })) === 0;

  const port = await freePort(3210);
  const settings = { ...env, PORT: String(port), SITE_URL: `http://localhost:${port}`, ...newSecrets() };
  const site = start("npm", ["run", serves ? name : "quickstart"], { env: settings });
  let passed = await untilHealthy(`${settings.SITE_URL}/api/health`, site, 300_000);
  if (passed && needsSite) {
    await ensurePackages(deliveryServiceFolder);
    const trial = await startTrial({});
    const own = { ...settings, ...trial.env, REDIS_URL: quickstartRedis() };
    const toolArguments = name === "check-receiver" ? [trial.env.LIKE_WEBHOOK_URL, ...args] : args;
    passed = (await run("npm", ["run", name, "--", ...toolArguments], { env: own })) === 0;
    await stop(trial.service);
  }
  await stop(site);
  return passed;
}

function newSecrets() {
  const secret = () => randomBytes(32).toString("base64url");
  return { SESSION_SECRET: secret(), VISITOR_HASH_SECRET: secret() };
}

/** URL of the Redis that `npm run quickstart` has started. */
function quickstartRedis() {
  const { port } = JSON.parse(readFileSync(join(root, ".data", "redis.json"), "utf8"));
  return `redis://127.0.0.1:${port}`;
}
